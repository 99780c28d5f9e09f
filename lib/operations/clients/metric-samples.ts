/** Sample of a metric in the Prometheus text format. */
export interface MetricSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const line = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})?\s+(\S+)(?:\s+\S+)?$/;
const label = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g;
const escapes: Readonly<Record<string, string>> = { '\\n': '\n', '\\"': '"', '\\\\': '\\' };

/** Yields the samples of some metrics; comments, other metrics, and lines and values that are invalid are skipped. */
export function* metricSamples(text: string, names: ReadonlySet<string>): Generator<MetricSample> {
  for (const row of text.split('\n')) {
    const [, name = '', labels = '', number = ''] = line.exec(row.trim()) ?? [];
    const value = Number(number);
    if (!names.has(name) || number === '' || !Number.isFinite(value)) continue;
    const pairs = [...labels.matchAll(label)].map(([, key = '', content = '']): readonly [string, string] => [
      key,
      content.replace(/\\[n"\\]/g, (mark) => escapes[mark] ?? mark),
    ]);
    yield { name, labels: Object.fromEntries(pairs), value };
  }
}
