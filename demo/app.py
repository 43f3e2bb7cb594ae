"The duel in a page: `python demo/app.py`, then open the address it prints. Widgets only; the game itself is `agon.cascade`."
import argparse
from dataclasses import replace
import gradio as gr
from agon.cascade import Answered, Cascade, Challenging, Drafted, Drafting
from agon.policy import fresh_policies, load_base, load_policies, trained_pair
from agon.rollout import Sampling

EXAMPLES = ['47*3+28-15*7+6', 'What is 12 + 17 * 3 - 24?', '93-17*4+28*3-9+22*6-15+7']

def policies(base, run, untrained=False):
    "The pair on show, and what to say of it."
    if base == 'abacus' and not run and not untrained: return trained_pair(), 'This pair was trained by `agon train`.'
    b = load_base(base)
    if run:
        ps = load_policies(b, run)
        if len(ps.names) < 2: raise ValueError(f'{run} holds one policy; a duel needs two')
        return ps, 'This pair was loaded from a folder.'
    return fresh_policies(b), '**These policies are untrained**: A equals the base, B differs from it by a little noise.'

def duel(ps, question, gold, drafter, temperature, seed):
    "Play one duel: yields the whole page again at each event. Every value goes into a plain text box, so nothing in it is rendered."
    try:
        problem = ps.base.read(question or '')
        if gold and gold.strip(): problem = replace(problem, answer=gold.strip())
        cascade = Cascade(ps, drafter, other(ps, drafter), sampling=Sampling(320, temperature=temperature, seed=int(seed or 0)))
        page = dict(draft='', draft_verdict='', summary='', challenge='', challenge_verdict='', answer='', note=f'Right answer: {problem.answer or "not known"}')
        for e in cascade.solve(problem):
            match e:
                case Drafting(text=t): page['draft'] = t
                case Drafted(draft=d, verdict=v, summary=s): page |= dict(draft=d.text, draft_verdict=str(v), summary=f'({s.why})' if s.text is None else s.text)
                case Challenging(text=t): page['challenge'] = t
                case Answered(duel=d):
                    page |= dict(draft=d.draft.text, challenge=d.challenge.text, answer=d.answer or '(no answer)',
                                 draft_verdict=f'{d.draft_verdict}\nreward {"none" if d.draft_reward is None else d.draft_reward}\n{d.draft.length} tokens',
                                 challenge_verdict=f'{d.challenge_verdict}\nreward {"none" if d.challenge_reward is None else d.challenge_reward}\n{d.challenge.length} tokens')
            yield list(page.values())
    except (ValueError, RuntimeError) as e: yield ['']*6 + [str(e)]

def head(role, name): return f'### {role}: policy {name}'
def other(ps, name): return next(n for n in ps.names if n != name)
def switch(ps, drafter):
    "The other policy drafts."
    return other(ps, drafter), head('Drafter', other(ps, drafter)), head('Challenger', drafter)

def page(ps, about):
    "The Blocks app for a pair of policies."
    first = ps.names[0]
    with gr.Blocks(title='agon: a duel of two policies') as app:
        gr.Markdown(f'# agon\nOne policy drafts; the other reads its summary, without reasoning or answer, and solves again. {about}')
        if ps.base.name == 'abacus': gr.Markdown('The embedded base reads `+` and `-` of 2 to 29 and `*` of 2 to 9, and works them **from left to right, modulo 100**: `12+7*3-4` is 53.')
        drafter = gr.State(first)
        with gr.Row():
            question = gr.Textbox(label='Problem', value=EXAMPLES[0], scale=4, lines=1, max_length=20_000)
            gold = gr.Textbox(label='Right answer (optional)', scale=1, max_length=200)
        with gr.Row():
            go, swap = gr.Button('Duel', variant='primary'), gr.Button('Switch roles')
        with gr.Row():
            temperature = gr.Slider(0, 2, 1, step=.1, label='Temperature (0: greedy)')
            seed = gr.Number(0, label='Seed', precision=0, minimum=0)
        note = gr.Textbox(label='Note', lines=1, max_lines=4, interactive=False)
        with gr.Row():
            with gr.Column():
                left = gr.Markdown(head('Drafter', first))
                draft = gr.Textbox(label='Draft', lines=5, interactive=False)
                draft_verdict = gr.Textbox(label='Draft: verdict and reward', lines=3, interactive=False)
            with gr.Column():
                right = gr.Markdown(head('Challenger', other(ps, first)))
                summary = gr.Textbox(label='Summary that crosses', lines=2, interactive=False)
                challenge = gr.Textbox(label='Challenge', lines=5, interactive=False)
                challenge_verdict = gr.Textbox(label='Challenge: verdict and reward', lines=3, interactive=False)
                answer = gr.Textbox(label='Answer of the cascade', interactive=False)
        gr.Examples([[e] for e in EXAMPLES], question)
        def play(*args): yield from duel(ps, *args)
        shown = [draft, draft_verdict, summary, challenge, challenge_verdict, answer, note]
        asked = [question, gold, drafter, temperature, seed]
        gr.on([go.click, question.submit], play, asked, shown, concurrency_limit=1, api_name='duel')
        swap.click(lambda d: switch(ps, d), drafter, [drafter, left, right], api_name='switch')
    return app

def main():
    p = argparse.ArgumentParser(description='Watch two policies duel on a problem.')
    p.add_argument('--base', default='abacus', help='abacus, a local folder, or a hub id')
    p.add_argument('--run', metavar='DIR', help='folder of a saved pair (default: the shipped pair on abacus, an untrained one on another base)')
    p.add_argument('--untrained', action='store_true', help='an untrained pair, to see what training changes')
    p.add_argument('--port', type=int, default=7860)
    p.add_argument('--share', action='store_true', help='open a public link (off by default: only this machine sees the page)')
    args = p.parse_args()
    try: ps, about = policies(args.base, args.run, args.untrained)
    except (ValueError, KeyError, OSError) as e: raise SystemExit(f'demo: {str(e).splitlines()[0]}') from None
    try: page(ps, about).launch(server_name='127.0.0.1', server_port=args.port, share=args.share)
    except OSError as e: raise SystemExit(f'demo: {str(e).splitlines()[0]} Try another --port.') from None

if __name__ == '__main__': main()
