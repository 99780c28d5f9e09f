/**
 * Builds every image of the Dockerfile without a container engine, starts it under containerd, and checks that its program works:
 * `npm run test:images`; with `--table` it starts each five times and prints cold start, size and number of files.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkProof, type StartedImage } from './check-proof';
import { ContainerHost } from './container-host';
import { programTargets, root } from './dockerfile';
import { ImageBuilder, ownArchitecture, type Storage } from './image-builder';
import { type ImageSize } from './image-layout';
import { reasonWithoutImageTools } from './image-tools';
import { imageProofs } from './proofs';
import { run } from './run';

/** Input of the process in the namespaces. */
interface Task {
  readonly folder: string;
  readonly layout: string;
  readonly storage: Storage;
  /** Images by target. */
  readonly images: Readonly<Record<string, StartedImage>>;
  /** Number of starts of each image. */
  readonly times: number;
}

/** Result of the process in the namespaces. */
interface Found {
  readonly passed: number;
  readonly failed: number;
  /** Median cold start by target, in milliseconds. */
  readonly coldStarts: Readonly<Record<string, number>>;
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const seconds = (since: number): string => `${((performance.now() - since) / 1_000).toFixed(1)} s`;
const targets = ['runtime', ...programTargets()];
/** Example of a controller of another team, which has a Dockerfile of its own. */
const example = 'topic-controller';

function main(isTable: boolean): number {
  const reason = reasonWithoutImageTools();
  if (reason !== undefined) {
    say(`skipped: ${reason}`);
    say(`0 passed, 0 failed, ${targets.length} skipped`);
    return 0;
  }
  const folder = mkdtempSync(join(tmpdir(), 'pinion-images-'));
  const builder = new ImageBuilder(folder);
  try {
    run(process.execPath, [join(root, 'scripts/images/base.mjs'), ownArchitecture]);
    const { images, failed } = buildImages(builder, folder);
    const names = Object.values(images);
    const layout = builder.export(names);
    const started = Object.entries(images).map(([target, name]) => [
      target,
      { name, entryPoint: layout.entryPoint(name) },
    ]);
    const found = startImages({
      ...{ folder, layout: layout.folder, storage: builder.storage, times: isTable ? 5 : 1 },
      images: Object.fromEntries(started) as Task['images'],
    });
    if (isTable) printTable(Object.keys(images), found.coldStarts, layout.sizes(names));
    const sum = { passed: found.passed + targets.length + 2 - failed, failed: found.failed + failed };
    say(`${sum.passed} passed, ${sum.failed} failed`);
    return sum.failed > 0 ? 1 : 0;
  } finally {
    builder.clear();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Bundles an example into a folder with its Dockerfile, as the Dockerfile says. */
function bundleExample(name: string, folder: string): string {
  const context = join(folder, name);
  cpSync(join(root, 'examples', name), context, { recursive: true });
  const bundle = ['--bundle', '--platform=node', '--target=node20', `--outfile=${join(context, `${name}.js`)}`];
  run(join(root, 'node_modules/.bin/esbuild'), [join(root, 'examples', name, 'main.ts'), ...bundle]);
  return context;
}

/** Builds every target, one target on a custom base, and the example of another team. */
function buildImages(
  builder: ImageBuilder,
  folder: string,
): { readonly images: Record<string, string>; readonly failed: number } {
  const images: Record<string, string> = {};
  let failed = 0;
  const attempt = (what: string, build: () => void): void => {
    const begin = performance.now();
    try {
      build();
      say(`ok    ${what}, ${seconds(begin)}`);
    } catch (error) {
      failed += 1;
      say(`FAIL  ${what}: ${String(error)}`);
    }
  };
  for (const target of targets) attempt(`${target} is built`, () => (images[target] = builder.build(target)));
  const base = images['runtime'] ?? '';
  attempt(`${example} is built`, () => {
    images[example] = builder.buildFolder(example, bundleExample(example, folder), { BASE: base });
  });
  attempt('a target is built on a custom base', () => builder.build('registrar', { BASE: base }));
  return { images, failed };
}

/** Starts the images in separate namespaces without network access, which end with the process. */
function startImages(task: Task): Found {
  const file = join(task.folder, 'task.json');
  writeFileSync(file, JSON.stringify(task));
  const self = [process.execPath, join(root, 'scripts/run-typescript.mjs'), __filename, '--inside', file];
  const script = 'mount -t tmpfs tmpfs /run && ip link set lo up && "$@"; exit $?';
  const namespaces = ['--mount', '--pid', '--net', '--ipc', '--fork', '--mount-proc', '--propagation', 'private'];
  // The shell is process 1 because it reaps orphans, which Node does not.
  const { status } = spawnSync('unshare', [...namespaces, '--kill-child=SIGKILL', 'sh', '-c', script, 'sh', ...self], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) throw new Error(`the process in the namespaces ended with ${status}`);
  return JSON.parse(readFileSync(join(task.folder, 'found.json'), 'utf8')) as Found;
}

async function startInside({ folder, layout, storage, images, times }: Task): Promise<void> {
  const host = await ContainerHost.start(folder, storage);
  const begin = performance.now();
  host.import(layout);
  say(`images imported, ${seconds(begin)}`);
  const coldStarts: Record<string, number> = {};
  let [passed, failed] = [0, 0];
  for (const [target, image] of Object.entries(images)) {
    for (const [index, proof] of (imageProofs[target] ?? []).entries()) {
      const took: number[] = [];
      try {
        for (let time = 0; time < (index === 0 ? times : 1); time += 1) took.push(await checkProof(host, image, proof));
        if (index === 0) coldStarts[target] = took.sort((a, b) => a - b)[Math.floor(took.length / 2)] ?? 0;
        passed += 1;
        say(`ok    ${target} ${proof.what}, ${Math.round(took[0] ?? 0)} ms`);
      } catch (error) {
        failed += 1;
        say(`FAIL  ${target} ${proof.what}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    if (!imageProofs[target]) {
      failed += 1;
      say(`FAIL  ${target}: there is no proof that it works; add one to test/images/proofs.ts`);
    }
  }
  await host.stop();
  writeFileSync(join(folder, 'found.json'), JSON.stringify({ passed, failed, coldStarts } satisfies Found));
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

function printTable(
  names: readonly string[],
  coldStarts: Readonly<Record<string, number>>,
  sizes: readonly ImageSize[],
): void {
  say('\n| image | cold start | download | of which shared | unpacked | files |');
  say('| --- | --- | --- | --- | --- | --- |');
  for (const [index, { download, shared, unpacked, files }] of sizes.entries()) {
    const name = names[index] ?? '';
    const cells = [megabytes(download), megabytes(shared), megabytes(unpacked), files];
    say(`| \`${name}\` | ${Math.round(coldStarts[name] ?? 0)} ms | ${cells.join(' | ')} |`);
  }
  say('');
}

const [mode, file = ''] = process.argv.slice(2);
if (mode === '--inside') void startInside(JSON.parse(readFileSync(file, 'utf8')) as Task);
else process.exitCode = main(mode === '--table');
