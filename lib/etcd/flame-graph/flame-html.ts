import { createHash } from 'node:crypto';
import { escaped } from './flame-svg';
import { flameScript } from './flame-script';
import { type Frame } from './frame';
import { keySpace, type FlameSubject } from './subject';

const style = `:root { color-scheme: light dark; font: 14px/1.4 system-ui, sans-serif; }
body { margin: 16px; }
h1 { font-size: 18px; margin: 0 0 4px; overflow-wrap: anywhere; }
p { margin: 0 0 8px; }
.bar { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; margin-bottom: 8px; }
input, button { font: inherit; padding: 4px 8px; }
#detail { min-height: 2.8em; margin-top: 8px; overflow-wrap: anywhere; }
#graph { position: relative; }
.frame { position: absolute; box-sizing: border-box; height: 21px; padding: 0 4px; overflow: hidden; color: #111;
  border-right: 1px solid Canvas; font: 12px/21px ui-monospace, monospace; text-overflow: ellipsis; white-space: nowrap; cursor: pointer; }
.thin { padding: 0; border-right-width: 0; box-shadow: inset -0.5px 0 Canvas; }
.frame:hover { filter: brightness(1.08); }
.frame:focus { outline: 3px solid #0b57d0; outline-offset: -3px; z-index: 1; }
.other { filter: grayscale(0.9); }
.match { font-weight: bold; box-shadow: inset 0 0 0 2px #111; }
`;

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Frame with short property names, because a page can contain thousands of frames. */
interface ShortFrame {
  readonly n: string;
  readonly l: number;
  readonly h: number;
  readonly b?: number;
  readonly c: readonly ShortFrame[];
}

const shorten = ({ name, live, history, before, children }: Frame): ShortFrame => ({
  n: name,
  l: live,
  h: history,
  ...(before !== undefined && { b: before }),
  c: children.map(shorten),
});

/**
 * Renders frames as an interactive HTML page with zoom, search and keyboard control; the default subject is the key
 * space. The page is self-contained, and its Content Security Policy allows only its own script and no requests.
 */
export function flameHtml(root: Frame, title: string, subject: FlameSubject = keySpace): string {
  const { unit, hasHistory } = subject;
  const isCompared = root.before !== undefined;
  const frames = JSON.stringify({ root: shorten(root), isCompared, unit, hasHistory }).replaceAll('<', '\\u003c');
  const policy = `default-src 'none'; script-src ${hashOf(flameScript)}; style-src ${hashOf(style)}; base-uri 'none'; form-action 'none'`;
  const legend = isCompared ? subject.comparedLegend : subject.legend;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body>
<h1>${escaped(title)}</h1>
<p>${escaped(legend)}. Click or press Enter to zoom, use arrow keys to move, Escape to show all, / to search.</p>
<div class="bar">
<label for="search">Search</label> <input id="search" type="search" autocomplete="off" spellcheck="false">
<button id="reset" type="button">Show all</button>
<span id="found" role="status"></span>
</div>
<div id="graph" role="tree" aria-label="${escaped(subject.label)}"></div>
<p id="detail" aria-live="polite"></p>
<noscript><p>This page needs JavaScript; use --svg for a static image.</p></noscript>
<script type="application/json" id="frames">${frames}</script>
<script>${flameScript}</script>
</body>
</html>
`;
}
