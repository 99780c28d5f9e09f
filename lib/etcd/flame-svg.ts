import { colorOf } from './frame-color';
import { type Frame, widthOf } from './frame';
import { keySpace, measureText, type Subject } from './subject';

const [width, row, top, margin] = [1200, 20, 48, 10];
/** Pixels below which a frame is not drawn, and of one letter. */
const [narrowest, letter] = [0.5, 6.6];

/** A frame as text: what it takes, and how that came to be. */
function frameText({ name, live, history, before }: Frame, whole: number, { measure, hasHistory }: Subject): string {
  const all = live + history;
  const text = (value: number): string => measureText(value, measure);
  const part = whole === 0 ? '' : `, ${((100 * all) / whole).toFixed(1)} %`;
  const parts = hasHistory ? ` (${text(live)} live, ${text(history)} history)` : '';
  const change =
    before === undefined ? '' : `; ${all >= before ? '+' : '-'}${text(Math.abs(all - before))} from ${text(before)}`;
  return `${name}: ${text(all)}${part}${parts}${change}`;
}

/** Frames as an SVG picture, the key space where nothing else is said: each tells of itself where a pointer rests on it. */
export function flameSvg(root: Frame, title: string, subject: Subject = keySpace): string {
  const whole = root.live + root.history;
  const scale = (width - 2 * margin) / Math.max(1, widthOf(root));
  const drawn: string[] = [];
  let deepest = 0;
  const draw = (frame: Frame, x: number, depth: number): void => {
    const wide = widthOf(frame) * scale;
    if (wide < narrowest) return;
    deepest = Math.max(deepest, depth);
    const y = top + depth * row;
    const room = Math.floor((wide - 6) / letter);
    const label = room < 3 ? '' : frame.name.length <= room ? frame.name : `${frame.name.slice(0, room - 1)}…`;
    const text = label === '' ? '' : `<text x="${(x + 3).toFixed(1)}" y="${y + 14}">${escaped(label)}</text>`;
    drawn.push(
      `<g><title>${escaped(frameText(frame, whole, subject))}</title><rect x="${x.toFixed(1)}" y="${y}" width="${Math.max(narrowest, wide - 0.5).toFixed(1)}" height="${row - 1}" fill="${colorOf(frame, subject)}"/>${text}</g>\n`,
    );
    let left = x;
    for (const child of frame.children) {
      draw(child, left, depth + 1);
      left += widthOf(child) * scale;
    }
  };
  draw(root, margin, 0);
  const height = top + (deepest + 1) * row + margin;
  const legend = root.before === undefined ? subject.legend : subject.comparedLegend;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="monospace" font-size="11" role="img">
<title>${escaped(title)}</title>
<rect width="${width}" height="${height}" fill="#fff"/>
<text x="${margin}" y="20" font-size="14">${escaped(title)}: ${escaped(measureText(whole, subject.measure))}</text>
<text x="${margin}" y="38" fill="#555">${legend}</text>
${drawn.join('')}</svg>
`;
}

/** A text as XML holds it: what XML cannot hold at all is replaced. */
export function escaped(text: string): string {
  const marks: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
    .replace(/[&<>"']/g, (mark) => marks[mark] ?? mark);
}
