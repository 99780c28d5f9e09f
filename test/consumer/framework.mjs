// Runs docs/framework.md from an empty folder: installs the packed library, compiles the controller of the page with the
// command of the page, and starts it; without a cluster it must say what it waits for. Bundles the example, too.
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { basename, join } from 'node:path';
import { expectThat, run } from './steps.mjs';

/** Kubeconfig of an API server that does not exist. */
const kubeconfig = JSON.stringify({
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [{ name: 'none', cluster: { server: 'http://127.0.0.1:1' } }],
  contexts: [{ name: 'none', context: { cluster: 'none' } }],
  'current-context': 'none',
});

const freePort = () =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

/** Returns the response of an address once something listens; throws after 20 s. */
async function responseOf(url) {
  for (const end = Date.now() + 20_000; ; await new Promise((resolve) => setTimeout(resolve, 100))) {
    try {
      const response = await fetch(url);
      return { status: response.status, text: await response.text() };
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
}

/** Starts a program that serves its health on a port; checks what it answers, and that SIGTERM ends it with 0. */
async function expectWaiting(program, port, variables, missing) {
  const child = spawn(process.execPath, [program], { env: { ...process.env, ...variables }, stdio: 'inherit' });
  const ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal)));
  try {
    const live = await responseOf(`http://127.0.0.1:${port}/livez`);
    expectThat(`${basename(program)} is alive without a cluster`, live.status === 200, live.text);
    const ready = await responseOf(`http://127.0.0.1:${port}/readyz`);
    expectThat(
      `${basename(program)} waits for ${missing}`,
      ready.status === 503 && ready.text.includes(missing),
      ready.text,
    );
    const { text } = await responseOf(`http://127.0.0.1:${port}/metrics`);
    expectThat('its metrics have the names of controller-runtime', text.includes('controller_runtime_reconcile_total'));
    child.kill('SIGTERM');
    expectThat('SIGTERM ends it with 0', (await ended) === 0);
  } finally {
    child.kill('SIGKILL');
  }
}

export async function testFramework(root, folder, library) {
  mkdirSync(folder, { recursive: true });
  const page = readFileSync(join(root, 'docs/framework.md'), 'utf8');
  const [, source = ''] = /^`controller\.ts`:\n\n```ts\n([\s\S]*?)^```$/m.exec(page) ?? [];
  const commands = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, text]) => text.trim().split('\n'));
  const [install = [], start = []] = commands;
  for (const command of install)
    run('sh', ['-c', command.replace('@pinion-platform/pinion', library)], { cwd: folder });
  const port = await freePort();
  writeFileSync(join(folder, 'controller.ts'), source.replace('port: 8080', `port: ${port}`));
  writeFileSync(join(folder, 'kubeconfig'), kubeconfig);
  const [compile = ''] = start;
  run('sh', ['-c', compile], { cwd: folder });
  const variables = { KUBECONFIG: join(folder, 'kubeconfig') };
  await expectWaiting(join(folder, 'controller.js'), port, variables, 'namespaces');
  // The example of another team, as one file.
  cpSync(join(root, 'examples/topic-controller'), join(folder, 'topic-controller'), { recursive: true });
  const esbuild = join(root, 'node_modules/.bin/esbuild');
  const bundle = ['--bundle', '--platform=node', '--target=node20', '--outfile=topic-controller.js'];
  run(esbuild, ['topic-controller/main.ts', ...bundle], { cwd: folder });
  const other = { ...variables, HOST: '127.0.0.1', PORT: String(port) };
  await expectWaiting(join(folder, 'topic-controller.js'), port, other, 'topicsets');
}
