import { colorOf } from './frame-color';
import { type Frame, widthOf } from './frame';
import { keySpace, formatFrameValue, type FlameSubject } from './subject';

const [width, row, top, margin] = [1200, 20, 48, 10];
/** Minimum width of a frame, and width of a character, in pixels. */
const [minWidth, charWidth] = [0.5, 6.6];

/** Describes a frame in one line. */
function frameText({ name, live, history, before }: Frame, whole: number, { unit, hasHistory }: FlameSubject): string {
  const all = live + history;
  const text = (value: number): string => formatFrameValue(value, unit);
  const share = whole === 0 ? '' : `, ${((100 * all) / whole).toFixed(1)} %`;
  const parts = hasHistory ? ` (${text(live)} live, ${text(history)} history)` : '';
  const change =
    before === undefined
      ? ''
      : `; ${all >= before ? '+' : '-'}${text(Math.abs(all - before))}, before: ${text(before)}`;
  return `${name}: ${text(all)}${share}${parts}${change}`;
}

/** Renders frames as an SVG with a tooltip for each; the default subject is the key space. */
export function flameSvg(root: Frame, title: string, subject: FlameSubject = keySpace): string {
  const whole = root.live + root.history;
  const scale = (width - 2 * margin) / Math.max(1, widthOf(root));
  const drawn: string[] = [];
  let deepest = 0;
  const draw = (frame: Frame, x: number, depth: number): void => {
    const frameWidth = widthOf(frame) * scale;
    if (frameWidth < minWidth) return;
    deepest = Math.max(deepest, depth);
    const y = top + depth * row;
    const maxChars = Math.floor((frameWidth - 6) / charWidth);
    const label =
      maxChars < 3 ? '' : frame.name.length <= maxChars ? frame.name : `${frame.name.slice(0, maxChars - 1)}…`;
    const text = label === '' ? '' : `<text x="${(x + 3).toFixed(1)}" y="${y + 14}">${escaped(label)}</text>`;
    drawn.push(
      `<g><title>${escaped(frameText(frame, whole, subject))}</title><rect x="${x.toFixed(1)}" y="${y}" width="${Math.max(minWidth, frameWidth - 0.5).toFixed(1)}" height="${row - 1}" fill="${colorOf(frame, subject)}"/>${text}</g>\n`,
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
<text x="${margin}" y="20" font-size="14">${escaped(title)}: ${escaped(formatFrameValue(whole, subject.unit))}</text>
<text x="${margin}" y="38" fill="#555">${legend}</text>
${drawn.join('')}</svg>
`;
}

/** Escapes text for XML, and replaces characters that XML does not allow. */
export function escaped(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
    .replace(/[&<>"']/g, (char) => entities[char] ?? char);
}
