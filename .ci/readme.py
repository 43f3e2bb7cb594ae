"Write README.md from nbs/index.ipynb (nbdev's own writer needs the Quarto binary). Hidden cells and nbdev's directives are left out."
import re
from pathlib import Path
import nbformat
from nbconvert import MarkdownExporter

root = Path(__file__).parent.parent
nb = nbformat.read(root/'nbs'/'index.ipynb', 4)
nb.cells = [c for c in nb.cells if not re.match(r'#\| *hide', c.source)]
for i,c in enumerate(nb.cells): # `echo: false`: what it shows, not how
    if re.match(r'#\| *echo: *false', c.source): nb.cells[i] = nbformat.v4.new_markdown_cell(''.join(o['data']['text/markdown'] for o in c.outputs))
for c in nb.cells: c.source = re.sub(r'\]\(([\w/]+\.(?:ipynb|png))\)', r'](nbs/\1)', re.sub(r'^#\|.*\n?', '', c.source, flags=re.M)) # links from nbs/ to links from the root
body, _ = MarkdownExporter().from_notebook_node(nb)
(root/'README.md').write_text('<!-- written from nbs/index.ipynb by .ci/readme.py -->\n\n' + re.sub(r'\n{3,}', '\n\n', body).strip() + '\n', encoding='utf-8')
