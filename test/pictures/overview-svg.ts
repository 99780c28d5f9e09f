/** Box of the diagram: a title and a few lines about it. */
interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly title: string;
  readonly lines: readonly string[];
  readonly style: 'input' | 'core' | 'entry' | 'cluster';
}

interface Arrow {
  readonly path: string;
  readonly label?: readonly [x: number, y: number, text: string];
}

const boxes: readonly Box[] = [
  {
    ...{ x: 20, y: 60, width: 210, height: 84, style: 'input', title: 'Workload' },
    lines: ['TypeScript construct, YAML', 'or custom resource'],
  },
  {
    ...{ x: 20, y: 200, width: 210, height: 84, style: 'input', title: 'Platform manifests' },
    lines: ['Platform, RuntimeProfile,', 'Project: settings, policies'],
  },
  {
    ...{ x: 20, y: 350, width: 210, height: 84, style: 'input', title: 'Stacks (Pulumi)' },
    lines: ['network, control plane, etcd', 'and node groups on AWS'],
  },
  {
    ...{ x: 290, y: 60, width: 190, height: 84, style: 'core', title: 'parseManifest' },
    lines: ['validates everything,', 'sets defaults'],
  },
  {
    ...{ x: 290, y: 200, width: 190, height: 84, style: 'core', title: 'resolvePlatform' },
    lines: ['one context', 'per Project'],
  },
  {
    ...{ x: 290, y: 350, width: 190, height: 84, style: 'core', title: 'Signed artifact' },
    lines: ['pinion publish, in CI:', 'immutable, verified'],
  },
  {
    ...{ x: 540, y: 115, width: 170, height: 114, style: 'core', title: 'expand' },
    lines: ['pure: equal inputs', 'give equal objects', 'at every entry point'],
  },
  {
    ...{ x: 770, y: 20, width: 220, height: 74, style: 'entry', title: 'Constructs' },
    lines: ['cdk8s synth, PlatformApp'],
  },
  {
    ...{ x: 770, y: 114, width: 220, height: 74, style: 'entry', title: 'Command line' },
    lines: ['check, render, explain, diff'],
  },
  {
    ...{ x: 770, y: 208, width: 220, height: 74, style: 'entry', title: 'Controller' },
    lines: ['plans, applies, reports status'],
  },
  {
    ...{ x: 770, y: 355, width: 220, height: 74, style: 'entry', title: 'Submission service' },
    lines: ['deploys, waits, rolls back; page'],
  },
  {
    ...{ x: 1080, y: 20, width: 140, height: 409, style: 'cluster', title: 'Kubernetes' },
    lines: ['native objects', 'custom resources', '', 'canary', 'quota monitor', 'alerts', 'traffic registrar'],
  },
];

const arrows: readonly Arrow[] = [
  { path: 'M230 102H290' },
  { path: 'M230 242H290' },
  { path: 'M125 350V284', label: [133, 322, 'writes the Platform'] },
  { path: 'M480 102H510V150H540' },
  { path: 'M480 242H510V195H540' },
  { path: 'M625 229V320H385V350' },
  { path: 'M710 172H740V57H770' },
  { path: 'M710 172H740V151H770' },
  { path: 'M710 172H740V245H770' },
  { path: 'M480 392H770', label: [560, 384, 'by name and version'] },
  { path: 'M990 57H1080', label: [1000, 49, 'YAML'] },
  { path: 'M990 151H1080', label: [1000, 143, 'YAML'] },
  { path: 'M1080 232H990', label: [1000, 224, 'watch'] },
  { path: 'M990 262H1080', label: [1000, 278, 'apply'] },
  { path: 'M990 392H1080', label: [1000, 384, 'resources'] },
];

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function boxSvg({ x, y, width, height, title, lines, style }: Box): string {
  const middle = x + width / 2;
  const first = style === 'cluster' ? y + 34 : y + (height - lines.length * 18) / 2 + 4;
  const text = lines.map(
    (line, index) => `<text class="line" x="${middle}" y="${first + 20 + index * 18}">${escape(line)}</text>`,
  );
  return `<g class="${style}"><rect x="${x}" y="${y}" width="${width}" height="${height}" rx="8"/><text class="title" x="${middle}" y="${first}">${escape(title)}</text>${text.join('')}</g>`;
}

function arrowSvg({ path, label }: Arrow): string {
  const text = label ? `<text class="label" x="${label[0]}" y="${label[1]}">${escape(label[2])}</text>` : '';
  return `<path class="arrow" d="${path}" marker-end="url(#head)"/>${text}`;
}

// Opaque colors of its own, so that it can be read on any page, in light and in dark mode.
const style = `
svg{--page:#fff;--text:#1f2328;--muted:#57606a;--line:#6e7781;--input:#ddf4ff;--core:#fff8c5;--entry:#dafbe1;--cluster:#f6f8fa}
@media (prefers-color-scheme:dark){svg{--page:#0d1117;--text:#e6edf3;--muted:#9da7b3;--line:#8b949e;--input:#0c2d50;--core:#3b2e04;--entry:#0f3a1c;--cluster:#21262d}}
text{font:14px system-ui,-apple-system,'Segoe UI','DejaVu Sans',sans-serif;fill:var(--muted);text-anchor:middle}
.title{font-weight:600;font-size:15px;fill:var(--text)}.line{font-size:12.5px}.label{font-size:12px;text-anchor:start}
.page{fill:var(--page)}g rect{stroke:var(--line)}.input rect{fill:var(--input)}.core rect{fill:var(--core)}.entry rect{fill:var(--entry)}.cluster rect{fill:var(--cluster)}
.arrow{fill:none;stroke:var(--line);stroke-width:1.5}.head{fill:var(--line)}
`;

/** Draws an overview of pinion: inputs, expansion, and the entry points that apply the result to a cluster. */
export const overviewSvg = (): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1240 450" width="1240" height="450" role="img" aria-label="Overview of pinion">
<style>${style}</style>
<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="head" d="M0 0L8 4L0 8z"/></marker></defs>
<rect class="page" width="1240" height="450" rx="10"/>
${arrows.map(arrowSvg).join('\n')}
${boxes.map(boxSvg).join('\n')}
</svg>
`;
