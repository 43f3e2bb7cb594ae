"The duel in a page: `python demo/app.py`, then open the address it prints. Widgets only; what they show and do is `agon.cascade`, `agon.evaluate`, `agon.run`, `agon.report` and `agon.plot`."
import argparse, html, tempfile, threading, time
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import shorten
import gradio as gr
from agon.arms import ARMS
from agon.cascade import Answered, Cascade, Challenging, Drafted, Drafting, base_for
from agon.core import Role, as_text
from agon.cli import agon_command
from agon.data import load_problems
from agon.evaluate import ways
from agon.game import rules_for
from agon.parse import raw_trace
from agon.plot import badge, figure_html, group_html, is_maths, plot_run, reply_html, strip_html, summary_html, verdict_html
from agon.programs import PROGRAMS, WithTests, of_programs, verify_program
from agon.policy import fresh_policies, load_base, load_policies, trained_pair
from agon.report import html_table, replay
from agon.reward import pay
from agon.rollout import Sampling
from agon.run import BackgroundRun
from agon.runlog import LOG, by_kind

EXAMPLES = dict(abacus=['47*3+28-15*7+6', 'What is 12 + 17 * 3 - 24?', '93-17*4+28*3-9+22*6-15+7', '47 + 13 * 7 - 25 + 16 * 3 - 8 * 9 + 21 - 14'])
WORDS = ['A box holds 12 pencils. How many pencils are in 7 boxes?', 'What is the remainder when 2^10 is divided by 7?', 'A train goes 90 km in 1.5 hours. How fast is it, in km/h?']
TASKS = ['Write a function square(n) that returns n times n.', 'Read two numbers from one line and print their sum.', 'Write a function is_palindrome(s): does s read the same from both ends?']
READS = 'The embedded base reads `+` and `-` of 2 to 29 and `*` of 2 to 9, and works them **from left to right, modulo 100**: `12+7*3-4` is 53.'
EXCHANGES = {'summary': lambda base: base.summarise, 'trace (a control)': lambda base: raw_trace, 'nothing': lambda base: None}
CSS = '''.agon-verdict{border-left:4px solid currentColor;padding-left:.6em} .agon-group,.agon-table table{border-collapse:collapse;display:block;overflow-x:auto}
.agon-group td,.agon-group th,.agon-table td,.agon-table th{border:1px solid var(--border-color-primary);padding:.15em .5em} pre{margin:.2em 0} progress{width:100%} .agon-text{padding-top:1.1em!important}'''

# ---- what all visitors share ----
@dataclass
class Studio:
    "The pairs on show, and the one run that may train."
    pairs:dict                                # name -> Policies
    runs:Path                                 # Folder of run folders
    problems:tuple = ()                       # Examples to choose from, with their gold answers
    stops:dict = field(default_factory=dict)  # session -> Event, while its duel is played: set, it stops
    run:BackgroundRun|None = None
    lock:threading.Lock = field(default_factory=threading.Lock)

def pairs_for(base, run=None, adapters=None, untrained=False, problems=(), programs=False):
    "name -> Policies, the first of them shown first. The base is asked for programs where `base_for` says so. ValueError if a folder does not fit."
    load = lambda: base_for(load_base(base), problems, run, programs)
    if adapters or run: return {'yours': load_policies(load(), adapters or run)}
    fresh = lambda: fresh_policies(load())
    if base != 'abacus': return {'untrained': fresh()}
    both = {'trained (ships with agon)': trained_pair(), 'untrained': fresh()}
    return dict(reversed(both.items())) if untrained else both

def runs_in(folder):
    "Folders below it that hold a run's log."
    return {str(f.parent.relative_to(folder.parent)): f.parent for f in sorted(folder.glob('**/log.jsonl'))}

# ---- duel ----
def other(ps, name): return next(n for n in ps.names if n != name)
def heads(ps, drafter): return badge(drafter, Role.DRAFTER, ps.names), badge(other(ps, drafter), Role.CHALLENGER, ps.names)
def of_code(base): return base.verify is verify_program
def typeset(answer, base): return '*no answer*' if not answer else f'${answer}$' if not of_code(base) and is_maths(answer) else '\n' + as_text(answer)
def known(problem): return 'not known' if problem.answer is None else 'a set of tests' if of_programs([problem]) else problem.answer

def asked(ps, question, gold, exchange, temperature, seed, limit):
    "(problem, rules, sampling) as typed. ValueError that says what can be read."
    problem = ps.base.read(question or '', (gold or '').strip() or None)
    return problem, rules_for(ps.base, summarise=EXCHANGES[exchange](ps.base)), Sampling(int(limit), temperature=temperature, seed=int(seed or 0))

PARTS = ('draft', 'draft_verdict', 'summary', 'challenge', 'challenge_verdict', 'answer', 'note')

def moments(events, base):
    "A duel as changes of the page: yields {part: value}."
    for e in events:
        match e:
            case Drafting(text=t): yield dict(draft=reply_html(t, writing=True))
            case Drafted(draft=d, verdict=v, summary=s, seconds=t): yield dict(draft=reply_html(d.text, d.opened), summary=summary_html(s), draft_verdict=verdict_html(v, pay(v), d.length, t))
            case Challenging(text=t): yield dict(challenge=reply_html(t, writing=True))
            case Answered(duel=d, seconds=t):
                said = 'A wrong draft, saved by its challenger.' if d.converted else 'A right draft, broken by its challenger.' if d.broken else ''
                yield dict(challenge=reply_html(d.challenge.text, d.challenge.opened), challenge_verdict=verdict_html(d.challenge_verdict, d.challenge_reward, d.challenge.length, t), answer=f'### Answer of the cascade: {typeset(d.answer, base)}', note=said or 'Done.')

def duel(ps, stop, problem, rules, s, drafter, every=.05):
    "Play one duel: yields the page's values for PARTS, at most each `every` seconds; ends early once `stop` is set."
    page, shown = dict.fromkeys(PARTS, '') | dict(note=f'Right answer: {known(problem)}. {drafter} drafts.'), 0.
    events = Cascade(ps, drafter, other(ps, drafter), rules, s).solve(problem)
    try:
        for change in moments(events, ps.base):
            if stop.is_set():
                yield [*(page | dict(note='Stopped.')).values()]
                return
            page |= change
            if len(change) > 1 or time.monotonic()-shown >= every:
                shown = time.monotonic()
                yield [*page.values()]
    finally: events.close()

def cascade_once(ps, problem:str, right_answer:str='', drafter:str='A', temperature:float=1., seed:int=0, max_tokens:int=320)->dict:
    "One cascade, as `agon solve --json` writes it."
    ps.check(drafter)
    p, rules, s = asked(ps, problem, right_answer, 'summary', temperature, seed, max_tokens)
    *_, last = Cascade(ps, drafter, other(ps, drafter), rules, s).solve(p)
    return last.duel.to_json()

def trouble(e): return f'{str(e).splitlines()[0] if str(e) else type(e).__name__}'[:500]

def duel_page(studio, pick, question_box, gold):
    first = next(iter(studio.pairs.values()))
    drafter = gr.State(first.names[0])
    with gr.Row():
        go, stop = gr.Button('Duel', variant='primary', elem_id='go'), gr.Button('Stop', elem_id='stop')
        swap, group = gr.Button('Switch roles', elem_id='swap'), gr.Button('Draw a group', elem_id='group')
    with gr.Row():
        each = gr.Checkbox(False, label='Switch roles at every question', elem_id='each')
        gold.render()
    with gr.Accordion('How it is sampled', open=False):
        temperature = gr.Slider(0, 2, 1, step=.1, label='Temperature (0: greedy)')
        seed = gr.Number(0, label='Seed', precision=0, minimum=0, elem_id='seed')
        limit = gr.Slider(16, min(4096, first.base.context*7//8), 320, step=16, label='Token limit of each stage')
        exchange = gr.Radio(list(EXCHANGES), value='summary', label='What crosses to the challenger')
        n = gr.Slider(2, 16, 8, step=1, label='N, duels of a group')
    note = gr.Textbox(label='Note', lines=1, max_lines=4, interactive=False, elem_id='note')
    with gr.Row():
        with gr.Column():
            left = gr.HTML(heads(first, first.names[0])[0], elem_id='left')
            draft, draft_verdict = gr.HTML(label='Draft', show_label=True, container=True, elem_id='draft', elem_classes='agon-text', min_height=90), gr.HTML(elem_id='draft-verdict')
            summary = gr.HTML(label='Summary that crosses', show_label=True, container=True, elem_id='summary', elem_classes='agon-text', min_height=40)
        with gr.Column():
            right = gr.HTML(heads(first, first.names[0])[1], elem_id='right')
            challenge, challenge_verdict = gr.HTML(label='Challenge', show_label=True, container=True, elem_id='challenge', elem_classes='agon-text', min_height=90), gr.HTML(elem_id='challenge-verdict')
            answer = gr.Markdown(elem_id='answer', latex_delimiters=[dict(left='$', right='$', display=False)])
    table = gr.HTML(elem_id='group-table')
    shown = [draft, draft_verdict, summary, challenge, challenge_verdict, answer, note]
    how = [gold, exchange, temperature, seed, limit]

    def play(which, question, who, switch, gold, exchange, temperature, seed, limit, request:gr.Request):
        ps, stop = studio.pairs[which], threading.Event()
        try: problem, rules, s = asked(ps, question, gold, exchange, temperature, seed, limit)
        except ValueError as e:
            yield [*['']*(len(PARTS)-1), trouble(e), who, *heads(ps, who)]
            return
        then = other(ps, who) if switch else who
        studio.stops[request.session_hash] = stop
        try:
            for values in duel(ps, stop, problem, rules, s, who): yield [*values, then, *heads(ps, who)]
        except (ValueError, RuntimeError) as e: yield [*['']*(len(PARTS)-1), trouble(e), who, *heads(ps, who)]
        finally: studio.stops.pop(request.session_hash, None)

    def draw(which, question, who, n, *how):
        ps = studio.pairs[which]
        try:
            problem, rules, s = asked(ps, question, *how)
            return group_html(Cascade(ps, who, other(ps, who), rules, s).group(problem, int(n)), ps.names), 'A group, as one round of training would draw it.'
        except (ValueError, RuntimeError) as e: return '', trouble(e)

    def halt(request:gr.Request):
        if playing := studio.stops.get(request.session_hash): playing.set()
    def switch(which, who):
        ps = studio.pairs[which]
        return other(ps, who), *heads(ps, other(ps, who))

    gr.on([go.click, question_box.submit], play, [pick, question_box, drafter, each, *how], [*shown, drafter, left, right], concurrency_limit=1, concurrency_id='model', show_progress='hidden', api_visibility='private')
    stop.click(halt, None, None, queue=False, api_visibility='private')
    swap.click(switch, [pick, drafter], [drafter, left, right], api_visibility='private')
    pick.change(lambda which: (studio.pairs[which].names[0], *heads(studio.pairs[which], studio.pairs[which].names[0])), pick, [drafter, left, right], api_visibility='private')
    group.click(draw, [pick, question_box, drafter, n, *how], [table, note], concurrency_limit=1, concurrency_id='model', api_visibility='private')
    return how

# ---- compare ----
def compare_page(studio, pick, question_box, how):
    gr.Markdown('The same problem by the base alone, each policy alone and with two tries, each as its own rival, and the pair both ways.')
    go, table = gr.Button('Compare', variant='primary', elem_id='compare'), gr.HTML(elem_id='compare-table', elem_classes='agon-table')
    columns = {'way': 'name', 'answer': lambda r: shorten(r['answer'] or 'no answer', 60), 'verdict': 'verdict', 'tokens written': 'tokens', 'tokens read': 'prompt_tokens'}
    def compare(which, question, *how):
        ps, rows = studio.pairs[which], []
        try:
            problem, rules, s = asked(ps, question, *how)
            for w in ways(ps, problem, rules, s):
                rows.append(vars(w)|dict(verdict=str(w.verdict)))
                yield html_table(rows, columns)
        except (ValueError, RuntimeError) as e: yield f'<p>{html.escape(trouble(e))}</p>'
    go.click(compare, [pick, question_box, *how], table, concurrency_limit=1, concurrency_id='model', api_visibility='private')

# ---- train ----
def sample_html(s, names):
    "One logged rollout, as `replay` gives it: what it read, wrote, and was paid."
    read = f'<p>read</p>{as_text(s["summary"])}' if s['summary'] is not None else ''
    paid = ' + '.join(f'{v:g} {k}' for k,v in s['rewards'].items() if v is not None) or 'nothing: no verdict'
    return f'<div>{badge(s["policy"], s["role"], names)}{read}{reply_html(s["text"])}<p class="agon-verdict">{html.escape(str(s["verdict"]))}<br>paid {html.escape(paid)}, advantage {s["advantage"]:+.2f}</p></div>'

def round_html(run, round, rollout=0):
    "The duel of one round of a run, side by side."
    seen = replay(run, round, rollout=rollout)['turns']
    names = tuple(sorted({t['policy'] for t in seen}))
    return as_text(seen[0]['problem']) + '<div style="display:grid;grid-template-columns:repeat(auto-fit,minmax(18em,1fr));gap:1em">' + ''.join(sample_html(t, names) for t in seen) + '</div>'

def progress_html(run, turns=0, rounds=None):
    "How far the run is, or how it ended. `rounds`: of its header, once it is written."
    if run is None: return '<p>Nobody has started a run.</p>'
    n, total = turns, 2*rounds if rounds else 1
    state = f'failed: {run.error}' if run.error else 'done' if n >= total and not run.running else 'paused' if not run.running else 'playing' if rounds else 'starting'
    if rounds is None: return f'<p>{html.escape(run.folder.name)}: <strong>{html.escape(state)}</strong></p>'
    bar = f'<progress value="{n}" max="{total}" aria-label="turns played">{n} of {total}</progress>'
    return f'{bar}<p>{html.escape(run.folder.name)}: turn {n} of {total}, round {n//2} of {total//2}, <strong>{html.escape(state)}</strong></p>'

def begin(studio, arm, rounds, batch, seed):
    "Start a run, or say why not."
    with studio.lock:
        if studio.run and studio.run.running: return 'A run is playing already, perhaps another visitor\'s: it is shown below.'
        studio.runs.mkdir(parents=True, exist_ok=True)
        folder = tempfile.mkdtemp(prefix=f'{arm}_', dir=studio.runs)
        options = dict(arm=arm, out=folder, rounds=int(rounds), batch=int(batch), seed=int(seed), minutes=600) | {'eval-every': max(1, int(rounds)//5)}
        studio.run = BackgroundRun(agon_command('train', '--preset', 'abacus-quick', *(x for k,v in options.items() for x in (f'--{k}', str(v)))), folder)
        studio.run.start()
    return f'Started in {folder}.'

def go_on(studio):
    with studio.lock:
        run = studio.run
        if run is None or run.running: return 'Nothing is paused.'
        run.start()
    return 'Going on.'

def pause(studio):
    if studio.run is None or not studio.run.running: return 'Nothing is playing.'
    studio.run.pause()
    return 'Pausing after the turn in play.'

def take(studio):
    "Let the trained pair play in Duel."
    run = studio.run
    if run is None or run.running or not run.records(): return 'There is no trained pair yet: wait for the run, or pause it.', gr.skip()
    try: ps = load_policies(load_base('abacus'), run.folder)
    except ValueError as e: return trouble(e), gr.skip()
    if len(ps.names) < 2: return 'That run trained one policy; a duel needs two.', gr.skip()
    name = f'trained here ({run.folder.name})'
    studio.pairs[name] = ps
    return f'In Duel now: {name}.', gr.update(choices=list(studio.pairs), value=name)

def train_page(studio, pick):
    gr.Markdown('Train a pair on Abacus, here and now. One run at a time; everyone who has this page open sees it.')
    with gr.Row():
        arm = gr.Dropdown([a.name for a in ARMS if a.learns], value='agon', label='Arm', elem_id='arm')
        rounds, batch = gr.Slider(1, 200, 20, step=1, label='Rounds', elem_id='rounds'), gr.Slider(2, 16, 4, step=1, label='Problems a round')
        seed = gr.Number(0, label='Seed', precision=0, minimum=0)
    with gr.Row(): start, hold, on, use = (gr.Button(t, elem_id=i) for t,i in (('Start', 'start'), ('Pause', 'pause'), ('Go on', 'go-on'), ('Use in Duel', 'use')))
    said = gr.Textbox(label='Note', interactive=False, elem_id='train-note')
    bar, curves, latest = gr.HTML(progress_html(None), elem_id='bar'), gr.HTML(elem_id='curves'), gr.HTML(elem_id='latest')
    seen, clock = gr.State(None), gr.Timer(1.)
    def look(seen):
        run, same = studio.run, (gr.skip(), gr.skip(), gr.skip(), seen)
        if run is None: return same
        log = run.folder/LOG
        key = str(run.folder), log.stat().st_size if log.is_file() else None, run.running
        if seen == key: return same # nothing was written since: the log is not read again
        turns, evals, heads = by_kind(run.folder, 'turn', 'eval', 'header') if log.is_file() else ([],)*3
        return progress_html(run, len(turns), heads[-1]['rounds'] if heads else None), figure_html(plot_run(turns, evals)), round_html(run.folder, turns[-1]['round']) if turns else '', key
    start.click(lambda *a: begin(studio, *a), [arm, rounds, batch, seed], said, api_visibility='private')
    hold.click(lambda: pause(studio), None, said, api_visibility='private')
    on.click(lambda: go_on(studio), None, said, api_visibility='private')
    use.click(lambda: take(studio), None, [said, pick], api_visibility='private')
    clock.tick(look, seen, [bar, curves, latest, seen], show_progress='hidden', api_visibility='private')

# ---- replay ----
def replay_page(studio):
    gr.Markdown('Open a stored run: who played which role, what was drafted, summarised, answered and paid.')
    found = lambda: {**({'example': EXAMPLE} if (EXAMPLE/'log.jsonl').is_file() else {}), **runs_in(studio.runs)}
    with gr.Row(): pick, again = gr.Dropdown(list(found()), value=None, label='Run', elem_id='run'), gr.Button('Look for runs')
    with gr.Row(): at, which = gr.Slider(0, 1, 0, step=1, label='Round', elem_id='round'), gr.Slider(0, 7, 0, step=1, label='Rollout of the group')
    note, strip, shown, curves = gr.Textbox(label='Note', interactive=False, elem_id='replay-note'), gr.HTML(elem_id='strip'), gr.HTML(elem_id='replayed'), gr.HTML(elem_id='replay-curves')
    def opened(name):
        try:
            turns, evals = by_kind(found()[name], 'turn', 'eval')
            if not turns: raise ValueError(f'{name} has no turns yet')
            return gr.update(maximum=max(1, turns[-1]['round']), value=0), figure_html(plot_run(turns, evals)), *at_round(name, 0, 0)
        except (ValueError, KeyError, OSError) as e: return gr.skip(), '', trouble(e), '', ''
    def at_round(name, r, rollout):
        if name is None: return 'Choose a run.', '', ''
        try:
            folder = found()[name]
            return '', strip_html(*by_kind(folder, 'turn'), int(r)), round_html(folder, int(r), int(rollout))
        except (ValueError, KeyError, OSError) as e: return trouble(e), '', ''
    pick.change(opened, pick, [at, curves, note, strip, shown], api_visibility='private')
    for s in (at, which): s.change(at_round, [pick, at, which], [note, strip, shown], show_progress='hidden', api_visibility='private')
    again.click(lambda: gr.update(choices=list(found())), None, pick, api_visibility='private')

EXAMPLE = Path(__file__).resolve().parent.parent/'nbs'/'tutorials'/'two_cores'

def page(studio):
    "The Blocks app."
    first = next(iter(studio.pairs.values()))
    with gr.Blocks(title='agon: a duel of two policies') as app:
        gr.Markdown('# agon\nOne policy drafts; the other reads its summary, without reasoning or answer, and solves again.' + (f' {READS}' if first.base.name == 'abacus' else ''))
        code = of_code(first.base)
        examples = TASKS if code else EXAMPLES.get(first.base.name, WORDS)
        how_right = dict(label='Tests (optional), a line each, such as: assert square(3) == 9', max_length=20_000, lines=3) if code else dict(label='Right answer (optional: for Abacus it is computed)', max_length=200)
        gold = gr.Textbox(**how_right, elem_id='gold', render=False)
        with gr.Row():
            question = gr.Textbox(label='Problem', value=studio.problems[0].question if studio.problems else examples[0], scale=4, lines=1, max_length=20_000, elem_id='problem')
            pick = gr.Dropdown(list(studio.pairs), value=next(iter(studio.pairs)), label='Pair', scale=1, elem_id='pair')
        if studio.problems: gr.Examples([[p.question, p.answer or ''] for p in studio.problems], [question, gold], examples_per_page=4)
        else: gr.Examples([[e] for e in examples], question)
        question.input(None, None, gold, js="() => ''", api_visibility='private') # a problem of one's own has not the example's answer
        with gr.Tabs():
            with gr.Tab('Duel'): how = duel_page(studio, pick, question, gold)
            with gr.Tab('Compare'): compare_page(studio, pick, question, how)
            if first.base.name == 'abacus':
                with gr.Tab('Train'): train_page(studio, pick)
            with gr.Tab('Replay'): replay_page(studio)
        def cascade(problem:str, right_answer:str='', drafter:str='A', temperature:float=1., seed:int=0, max_tokens:int=320)->dict:
            "One cascade of the pair on show first: draft, summary, challenge, answer, verdicts, rewards, tokens."
            try: return cascade_once(first, problem, right_answer, drafter, temperature, seed, max_tokens)
            except ValueError as e: raise gr.Error(trouble(e)) from None
        gr.api(cascade, api_name='cascade', concurrency_limit=1, concurrency_id='model')
    return app

def arguments():
    p = argparse.ArgumentParser(description='Watch two policies duel on a problem, compare them, train them, and play runs back.')
    p.add_argument('--base', default='abacus', help='abacus, a local folder, or a hub id')
    p.add_argument('--run', metavar='DIR', help='folder of a saved pair (default: the shipped pair on abacus, an untrained one on another base)')
    p.add_argument('--a', metavar='DIR', help='PEFT folder of policy A (with --b, in place of --run)')
    p.add_argument('--b', metavar='DIR', help='PEFT folder of policy B')
    p.add_argument('--problems', help='examples to choose from, with their right answers: gsm8k, math500, …, humaneval, a file (.jsonl, .json, .parquet, .csv), a saved dataset')
    p.add_argument('--programs', action='store_true', help='ask for programs: a right answer is a set of tests, and problems of a file hold them (humaneval, mbpp and code_contests need not be told)')
    p.add_argument('--untrained', action='store_true', help='show the untrained pair first, to see what training changes')
    p.add_argument('--runs', metavar='DIR', default='runs', help='folder where runs are kept and looked for (default: runs)')
    p.add_argument('--port', type=int, default=7860)
    p.add_argument('--share', action='store_true', help='open a public link (off by default: only this machine sees the page)')
    return p

def main():
    p = arguments()
    args = p.parse_args()
    if bool(args.a) != bool(args.b): p.error('--a and --b go together: give both')
    try:
        problems = load_problems(PROGRAMS.get(args.problems, args.problems), limit=40, columns=WithTests() if args.programs else None) if args.problems else ()
        pairs = pairs_for(args.base, args.run, args.a and dict(A=args.a, B=args.b), args.untrained, problems, args.programs)
    except (ValueError, KeyError, OSError) as e: raise SystemExit(f'demo: {trouble(e)}') from None
    if any(len(ps.names) < 2 for ps in pairs.values()): raise SystemExit(f'demo: {args.run} holds one policy; a duel needs two')
    studio = Studio(pairs, Path(args.runs), tuple(problems))
    try: page(studio).launch(server_name='127.0.0.1', server_port=args.port, share=args.share, css=CSS)
    except OSError as e: raise SystemExit(f'demo: {trouble(e)} Try another --port.') from None
    finally:
        if studio.run: studio.run.pause()

if __name__ == '__main__': main()
