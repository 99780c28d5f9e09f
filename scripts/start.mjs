// The main job with built-in defaults: the examples, as typed constructs and as custom resources, become native YAML in
// dist/; prints a summary.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const require = createRequire(import.meta.url);
process.chdir(root);
rmSync('dist', { recursive: true, force: true });
const begin = performance.now();

/**
 * Constructs: one chart per example, each a file of native YAML; one job remains a custom resource, because it needs the
 * controller.
 */
function synthesize() {
  const { PlatformApp } = require(join(root, 'build/lib'));
  const { addExamples } = require(join(root, 'build/examples/add-examples.js'));
  const app = new PlatformApp({ outdir: 'dist' });
  try {
    addExamples(app);
    app.synth();
  } catch (error) {
    if (error.name !== 'ProblemsError') throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
  return app.summary;
}

/** Custom resources: every YAML file of the examples by the command line, as a user would. */
function render() {
  const files = readdirSync('examples', { recursive: true })
    // Hidden folders belong to other programs, which is also the rule of the command.
    .filter((name) => name.endsWith('.yaml') && !name.endsWith('parameter-server.yaml') && !/(^|[\\/])\./.test(name))
    .map((name) => join('examples', name))
    .sort();
  const args = ['build/bin/pinion.js', 'render', '--output-dir', 'dist/custom-resources', ...files];
  const done = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (done.status !== 0) {
    process.stderr.write(done.stderr);
    process.exit(done.status ?? 1);
  }
  return done.stderr.trim().split('\n').at(-1);
}

/** Counts the objects of each kind in the files of a folder. */
function kindsIn(folder) {
  const counts = new Map();
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.yaml'))) {
    for (const [, kind] of readFileSync(join(folder, name), 'utf8').matchAll(/^kind: (\w+)$/gm)) {
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
    }
  }
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([kind, count]) => `${count} ${kind}`);
}

/** Wraps words to lines of at most 110 characters. */
function wrapped(words, indent) {
  const lines = [''];
  for (const word of words) {
    if (lines.at(-1).length + word.length > 108) lines.push('');
    lines[lines.length - 1] += `${lines.at(-1) === '' ? '' : ', '}${word}`;
  }
  return lines.map((line) => indent + line).join('\n');
}

const summary = synthesize();
const rendered = render();
const seconds = ((performance.now() - begin) / 1000).toFixed(1);

console.log(`
Constructs        ${summary.workloads} workloads → ${summary.objects} objects in ${summary.files} files: dist/*.yaml
${wrapped(kindsIn('dist'), '                  ')}
Custom resources  ${rendered.replace(/^(\d+ workloads?), /, '$1 → ').replace(/, \d.*$/, '')}: dist/custom-resources/
Warnings          ${summary.warnings.length}
Platform          ${summary.platform === 'built-in' ? 'built-in; describe your cluster in pinion.platform.yaml' : summary.platform}
Time              ${seconds} s

Try next
  less dist/online-boutique.k8s.yaml                                            what eleven services became
  npx pinion explain frontend examples/online-boutique/online-boutique.yaml     who set every line of one of them
  npx pinion check examples --as-controller                                     break a line there first, then look
  npx cdk8s synth                                                               the same app as its team's CI runs it
`);
