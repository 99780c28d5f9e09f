// Bundles from the sources, without unused code:
// - build/bin/pinion.js, the command, with its V8 code cache, and build/bin/cloud.js, its part that calls AWS
// - one file in build/bin for each program that runs in a cluster
// - build/stacks/program.js, the program of the stacks, which Pulumi loads without compiling anything
// - build/page, the page that the submission service serves; its script and style are named after their content
// Does nothing when no source is newer than the bundle.
import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { noticeBanner, packageList, recordPackages, removeOtherLists } from './bundled-packages.mjs';

const interpreter = '@marcbachmann/cel-js';
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const entry = join(root, 'lib', 'cli', 'main.ts');
const folder = join(root, 'build', 'bin');
const stacks = join(root, 'stacks');
const stacksProgram = join(root, 'build', 'stacks', 'program.js');
const page = join(root, 'build', 'page');
const start = join(folder, 'pinion.js');
const program = join(folder, 'program.js');
const cacheName = `program-${process.version}-${process.platform}-${process.arch}.cache`;
const cache = join(folder, cacheName);
const cloud = join(folder, 'cloud.js');

/** Programs that run in images, each with its entry modules. */
const images = [
  {
    entryPoint: join(root, 'lib', 'controller', 'main.ts'),
    outfile: join(folder, 'controller.js'),
    libModules: ['api', 'artifact', 'client', 'controller', 'controller-runtime', 'expand', 'kube', 'process'],
    // Profiles of the unminified bundle name functions by their modules.
    hasHeadings: true,
  },
  {
    entryPoint: join(root, 'lib', 'cloud', 'main.ts'),
    outfile: join(folder, 'node-lifecycle.js'),
    libModules: ['api', 'cloud', 'etcd', 'kube', 'operations', 'process'],
  },
  {
    entryPoint: join(root, 'lib', 'runtime', 'main.ts'),
    outfile: join(folder, 'registrar.js'),
    libModules: ['process', 'runtime'],
  },
  {
    entryPoint: join(root, 'lib', 'quota', 'main.ts'),
    outfile: join(folder, 'quota.js'),
    libModules: ['api', 'capacity', 'expand', 'kube', 'programs', 'quota', 'process'],
  },
  {
    entryPoint: join(root, 'lib', 'submission', 'main.ts'),
    outfile: join(folder, 'submission.js'),
    libModules: [
      'api',
      'artifact',
      'capacity',
      'cloud',
      'contract',
      'expand',
      'kube',
      'programs',
      'quota',
      'submission',
      'process',
    ],
  },
  {
    entryPoint: join(root, 'lib', 'gateway', 'main.ts'),
    outfile: join(folder, 'gateway.js'),
    libModules: ['api', 'gateway', 'kube', 'process'],
  },
  {
    entryPoint: join(root, 'lib', 'operations', 'memory-main.ts'),
    outfile: join(folder, 'apiserver-memory.js'),
    libModules: ['api', 'etcd', 'kube', 'operations', 'process'],
  },
  {
    entryPoint: join(root, 'lib', 'operations', 'client-monitor-main.ts'),
    outfile: join(folder, 'client-monitor.js'),
    libModules: ['api', 'kube', 'operations', 'process'],
  },
  {
    entryPoint: join(root, 'lib', 'operations', 'canary-main.ts'),
    outfile: join(folder, 'canary.js'),
    libModules: ['api', 'artifact', 'cloud', 'contract', 'etcd', 'expand', 'kube', 'operations', 'programs', 'process'],
  },
];

// A code cache belongs to one Node: V8 compares only its own version, accepts the cache of another patch of Node, and crashes.
// Written only on request.
const startText = `#!/usr/bin/env node
'use strict';
const { readFileSync, writeFileSync } = require('node:fs');
const { wrap } = require('node:module');
const { Script } = require('node:vm');
const filename = __dirname + '/program.js';
const cachedData = (() => {
  try {
    return readFileSync(__dirname + \`/program-\${process.version}-\${process.platform}-\${process.arch}.cache\`);
  } catch {
    return undefined;
  }
})();
const script = new Script(wrap(readFileSync(filename, 'utf8')), { filename, cachedData });
script.runInThisContext()(exports, require, module, filename, __dirname);
if (process.env.PINION_WRITE_CACHE) {
  process.on('exit', () => writeFileSync(process.env.PINION_WRITE_CACHE, script.createCachedData()));
}
`;

function newest(path) {
  const status = statSync(path);
  if (!status.isDirectory()) return status.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))));
}

const modules = (...names) => names.map((name) => join(root, 'lib', name));

/** Returns whether no input file, nor this script, is newer than the output files. */
function isFresh(created, sources) {
  if (!created.every(existsSync)) return false;
  const built = Math.min(...created.map((path) => statSync(path).mtimeMs));
  const always = [fileURLToPath(import.meta.url), join(root, 'package-lock.json')];
  return Math.max(...[...always, ...sources].map(newest)) < built;
}

/** Bundles, and records which packages the bundle of this name includes. */
async function bundle(name, options) {
  const common = { bundle: true, legalComments: 'none', logLevel: 'warning', absWorkingDir: root, metafile: true };
  const { metafile } = await build({ ...common, banner: { js: noticeBanner }, ...options });
  recordPackages(name, metafile);
  return metafile;
}

/** Modules load some other modules lazily by `module.require`, which the bundler does not resolve. */
const lazyModules = {
  name: 'lazy-modules',
  setup(build) {
    build.onLoad({ filter: /[\\/]lib[\\/].*\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace(/^#!.*/, '').replaceAll('module.require(', 'require('),
      loader: 'ts',
    }));
  },
};

/**
 * Bundles a program into one file, so that an image needs only that and Node; comments mark where each module begins.
 */
async function bundleProgram(entryPoint, outfile, plugins = [], hasHeadings = false) {
  mkdirSync(folder, { recursive: true });
  await bundle(outfile, {
    entryPoints: [entryPoint],
    outfile,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    minifySyntax: true,
    // The comments name files relative to this folder.
    minifyWhitespace: !hasHeadings,
    // The pinned AWS SDK must not announce its later versions to users.
    define: { 'process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED': '"true"' },
    plugins: [lazyModules, ...plugins],
  });
}

/**
 * The AWS SDK is several times larger than the rest of the command: it is in a separate file, which only the commands that
 * need it load.
 */
const externalCloud = {
  name: 'external-cloud',
  setup(build) {
    build.onResolve({ filter: /^(\.\.\/)+cloud$/ }, () => ({ path: './cloud.js', external: true }));
  },
};

/** Packages stay in node_modules: Pulumi searches its providers there. */
const bundleStacks = () =>
  build({
    entryPoints: [join(stacks, 'program.ts')],
    outfile: stacksProgram,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    logLevel: 'warning',
  });

/** The service serves index.html at /, and the files that it names under /assets/. */
async function bundlePage() {
  rmSync(page, { recursive: true, force: true });
  const from = join(root, 'lib', 'page');
  const metafile = await bundle('page', {
    entryPoints: { page: join(from, 'main.ts'), style: join(from, 'page.css') },
    outdir: page,
    entryNames: 'page.[hash]',
    platform: 'browser',
    format: 'esm',
    target: ['es2022', 'chrome111', 'firefox128', 'safari16.4'],
    minify: true,
  });
  const named = Object.keys(metafile.outputs).map((path) => basename(path));
  const text = named.reduce(
    (html, name) => html.replace(`"page${extname(name)}"`, `"/assets/${name}"`),
    readFileSync(join(from, 'index.html'), 'utf8'),
  );
  writeFileSync(join(page, 'index.html'), text);
}

async function bundleCommand() {
  await bundleProgram(join(root, 'lib', 'cloud', 'index.ts'), cloud);
  await bundleProgram(entry, program, [externalCloud]);
  writeFileSync(start, startText, { mode: 0o755 });
  for (const name of readdirSync(folder)) if (name.endsWith('.cache')) rmSync(join(folder, name));
}

/** Renders one workload, so that the cache includes the compiled functions for it. */
function writeCache() {
  const input = `apiVersion: pinterest.com/v1
kind: PinterestService
metadata: {name: a, namespace: b}
spec:
  replicas: 1
  loadBalancer: {port: 80}
  template: {spec: {containers: [{name: app, image: 'registry.example.com/a:1'}]}}
`;
  const env = { ...process.env, PINION_WRITE_CACHE: cache };
  const { status, stderr } = spawnSync(process.execPath, [start, 'render', '-', '-q'], { input, env, cwd: folder });
  if (status !== 0) process.stderr.write(`the bundled command does not work:\n${stderr}`);
  process.exitCode = status ?? 1;
}

/**
 * Bundles the CEL interpreter, which is published as an ES module only, beside the compiled library as CommonJS:
 * the jest of an app team on Node 20 cannot load an ES module.
 */
async function bundleInterpreter() {
  const importer = join(root, 'build', 'lib', 'api', 'rules', 'cel.js');
  const text = readFileSync(importer, 'utf8');
  const asPublished = `module.require('${interpreter}')`;
  const outfile = join(dirname(importer), 'cel-interpreter.js');
  const library = join(root, 'build', 'lib');
  // Removes the bundle at the former path of the module.
  for (const path of readdirSync(library, { recursive: true }).map((name) => join(library, name)))
    if (basename(path) === basename(outfile) && path !== outfile) rmSync(path);
  if (!text.includes(asPublished) && existsSync(packageList(outfile))) return;
  const entryPoint = createRequire(import.meta.url).resolve(interpreter);
  await bundle(outfile, { entryPoints: [entryPoint], outfile, platform: 'node', format: 'cjs', target: 'node20' });
  writeFileSync(outfile, `${licenseOf(interpreter)}\n${readFileSync(outfile, 'utf8')}`);
  writeFileSync(importer, text.replace(asPublished, `module.require('./cel-interpreter')`));
}

/** Returns the license text of a bundled package as a comment. */
function licenseOf(name) {
  const text = readFileSync(join(root, 'node_modules', name, 'LICENSE'), 'utf8');
  return `/*\n${name}\n\n${text.replaceAll('*/', '* /').trim()}\n*/`;
}

if (!isFresh([start, program, cloud, packageList(program), packageList(cloud)], [join(root, 'lib')]))
  await bundleCommand();
if (!existsSync(cache)) writeCache();
for (const { entryPoint, outfile, libModules, hasHeadings } of images)
  if (!isFresh([outfile, packageList(outfile)], modules(...libModules)))
    await bundleProgram(entryPoint, outfile, [externalCloud], hasHeadings);
if (!isFresh([stacksProgram], [stacks])) await bundleStacks();
if (!isFresh([join(page, 'index.html'), packageList('page')], modules('contract', 'page'))) await bundlePage();
await bundleInterpreter();
removeOtherLists([program, cloud, ...images.map(({ outfile }) => outfile), 'page', 'cel-interpreter']);
