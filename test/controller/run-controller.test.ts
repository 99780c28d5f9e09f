import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { controllerArguments } from '../../lib/controller/controller-arguments';
import { runController } from '../../lib/controller/run-controller';
import { realClock } from '../kube/real-clock';
import { sendStatus, startServer } from '../kube/scripted-server';

test.each([
  [true, ['--dry-run']],
  [false, []],
])('the log says whether the controller changes nothing: %s', async (dryRun, flags) => {
  const server = await startServer((_, response) => sendStatus(response, 404, 'NotFound'));
  const folder = mkdtempSync(join(tmpdir(), 'pinion-controller-'));
  const kubeconfig = join(folder, 'kubeconfig');
  const named = (key: string, value: object): object => ({ name: 'test', [key]: value });
  writeFileSync(
    kubeconfig,
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [named('cluster', { server: server.url })],
      users: [named('user', {})],
      contexts: [named('context', { cluster: 'test', user: 'test' })],
      'current-context': 'test',
    }),
  );
  const stop = new AbortController();
  try {
    const serving = await new Promise<unknown>((resolve, reject) => {
      const write = (line: string): void => {
        const entry = JSON.parse(line) as { readonly message: string };
        if (entry.message !== 'serving') return;
        resolve(entry);
        stop.abort();
      };
      const arguments_ = controllerArguments([`--kubeconfig=${kubeconfig}`, '--host=127.0.0.1', '--port=0', ...flags]);
      runController(arguments_, {
        clock: realClock,
        registry: new Registry(),
        environment: {},
        write,
        stop: stop.signal,
      }).then(() => reject(new Error('it ended without serving')), reject);
    });
    expect(serving).toMatchObject({ level: 'info', port: expect.any(Number), dryRun });
  } finally {
    stop.abort();
    await server.close();
    rmSync(folder, { recursive: true });
  }
});
