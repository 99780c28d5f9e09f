// Renders the examples, both typed constructs and custom resources, to native YAML in dist/ with built-in defaults; prints
// a summary.
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

/** Examples that stay custom resources, because they need the controller. */
const needController = /parameter-server|[\\/]job-sets[\\/](?!driver-worker)/;

/** Renders the constructs: one chart per example, each a file of native YAML, but for what needs the controller. */
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

/** Renders every YAML file of the examples with the command, as a user would. */
function render() {
  const files = readdirSync('examples', { recursive: true })
    // The command skips hidden folders too: they belong to other programs.
    .filter((name) => name.endsWith('.yaml') && !/(^|[\\/])\./.test(name))
    .map((name) => join('examples', name))
    .filter((name) => !needController.test(name))
    .sort();
  const args = ['build/bin/pinion.js', 'render', '--output-dir', 'dist/custom-resources', ...files];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) {
    process.stderr.write(stderr);
    process.exit(status ?? 1);
  }
  return stderr.trim().split('\n').at(-1);
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

/** Joins strings by commas, on lines of at most 110 characters. */
function wrapText(texts, indent) {
  const lines = [''];
  for (const text of texts) {
    if (lines.at(-1).length + text.length > 108) lines.push('');
    lines[lines.length - 1] += `${lines.at(-1) === '' ? '' : ', '}${text}`;
  }
  return lines.map((line) => indent + line).join('\n');
}

const summary = synthesize();
const rendered = render();
const seconds = ((performance.now() - begin) / 1000).toFixed(1);

console.log(`
Constructs        ${summary.workloads} workloads → ${summary.objects} objects in ${summary.files} files: dist/*.yaml
${wrapText(kindsIn('dist'), '                  ')}
Custom resources  ${rendered.replace(/^(\d+ workloads?), /, '$1 → ').replace(/, \d.*$/, '')}: dist/custom-resources/
Warnings          ${summary.warnings.length}
Platform          ${summary.platform === 'built-in' ? 'built-in; describe your cluster in pinion.platform.yaml' : summary.platform}
Time              ${seconds} s

Try next
  less dist/online-boutique.k8s.yaml                                                      the native YAML of eleven services
  npx --no-install pinion explain frontend examples/online-boutique/online-boutique.yaml  the origin of every line of one of them
  npx --no-install pinion check examples --as-controller                                  all problems at once; break a line first
  npx cdk8s synth                                                                         the same app with cdk8s, as in a team's CI
`);
