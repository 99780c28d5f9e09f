import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeYaml } from '../lib/yaml';
import { helm } from './helm';
import { median, ratio } from './ratio';
import { objectsOf } from './synth-worker';

interface Measured {
  readonly objects: number;
  readonly seconds: number;
  readonly megabytes?: number;
}

const rounds = 3;
const worker = (file: string, ...args: string[]): Measured =>
  JSON.parse(
    execFileSync(process.execPath, ['--max-old-space-size=8000', join(__dirname, file), ...args], {
      encoding: 'utf8',
      maxBuffer: 1 << 26,
    }),
  ) as Measured;
const rate = ({ objects, seconds }: Measured): number => objects / seconds;

/** Writes a chart that renders the same objects for every name in its values; only names and hosts differ, as in pinion. */
function writeChart(folder: string, count: number): void {
  const text = objectsOf('benchname')
    .map((object) => writeYaml(object))
    .join('---\n');
  const escaped = text.replaceAll('{{', '{{ "{{" }}').replaceAll('benchname', '{{ $name }}');
  mkdirSync(join(folder, 'templates'), { recursive: true });
  writeFileSync(join(folder, 'Chart.yaml'), 'apiVersion: v2\nname: services\nversion: 1.0.0\n');
  writeFileSync(
    join(folder, 'values.yaml'),
    `names:\n${Array.from({ length: count }, (_, index) => `  - service-${index}\n`).join('')}`,
  );
  writeFileSync(
    join(folder, 'templates', 'services.yaml'),
    `{{- range $name := .Values.names }}\n---\n${escaped}{{- end }}\n`,
  );
}

function helmRun(program: string, count: number): Measured {
  const folder = mkdtempSync(join(tmpdir(), 'pinion-helm-'));
  try {
    writeChart(folder, count);
    const begin = process.hrtime.bigint();
    execFileSync(program, ['template', 'bench', folder, '--output-dir', join(folder, 'out')], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    return { objects: count * objectsOf('x').length, seconds: Number(process.hrtime.bigint() - begin) / 1e9 };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const printRate = (title: string, measured: Measured) =>
  console.log(
    `${title}: ${measured.objects} objects in ${measured.seconds.toFixed(2)} s, ${Math.round(rate(measured))} objects/s${measured.megabytes === undefined ? '' : `, peak ${measured.megabytes} MB`}`,
  );

function main(): void {
  const ours: Measured[] = [];
  const stringified: Measured[] = [];
  const stock: Measured[] = [];
  const helmRuns: Measured[] = [];
  const program = helm();
  for (let round = 0; round < rounds; round++) {
    ours.push(worker('synth-worker.js', 'synthesize', '10000'));
    stringified.push(worker('synth-worker.js', 'stringify', '10000'));
    if ('path' in program) helmRuns.push(helmRun(program.path, 2000));
  }
  // The stock App takes minutes for the same number of services, so it runs once.
  stock.push(worker('stock-worker.js', '10000'));
  const medianOf = (all: Measured[]) => median(all, ({ seconds }) => seconds);
  const [pinion, json, plus] = [medianOf(ours), medianOf(stringified), medianOf(stock)];
  printRate('pinion, 10,000 services, typed input to YAML on disk', pinion);
  printRate('JSON.stringify of the same objects', json);
  printRate('stock cdk8s-plus-27 App.synth, 10,000 services in one chart', plus);
  const [small, large] = [
    worker('synth-worker.js', 'synthesize', '1000'),
    worker('synth-worker.js', 'synthesize', '20000'),
  ];
  printRate('pinion, 1,000 services', small);
  printRate('pinion, 20,000 services', large);
  if ('path' in program) {
    const peer = medianOf(helmRuns);
    printRate('helm template, 2,000 services', peer);
    ratio('synth-vs-helm', rate(pinion) / rate(peer), '>=', 5);
  } else console.log(`helm was not compared: ${program.skipped}`);
  ratio('synth-vs-stock-cdk8s', rate(pinion) / rate(plus), '>=', 40);
  ratio('synth-time-vs-json-stringify', pinion.seconds / json.seconds, '<=', 6);
  ratio('synth-time-per-service-20000-vs-1000', large.seconds / 20 / small.seconds, '<=', 1);
  ratio('synth-peak-megabytes-at-10000', pinion.megabytes ?? 0, '<=', 500);
}

main();
