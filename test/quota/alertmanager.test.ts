import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { alertmanagerSender } from '../../lib/quota';
import { fetchText } from '../../lib/quota/fetch-text';
import { type Message } from '../../lib/quota/message';

const program = 'prometheus-alertmanager';
const isInstalled = spawnSync(program, ['--version']).status === 0;
if (!isInstalled) process.stderr.write(`skipped: a real Alertmanager; Debian's package ${program} is not here\n`);

(isInstalled ? describe : describe.skip)('a real Alertmanager', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pinion-alertmanager-'));
  let child: ChildProcess | undefined;
  let url = new URL('http://127.0.0.1');
  const alerts = (): Promise<string> =>
    fetchText({ method: 'GET', url: new URL('/api/v2/alerts', url), server: 'it', timeout: 5000, maxBytes: 1e6 });

  beforeAll(async () => {
    const port = await new Promise<number>((done) => {
      const server = createServer().listen(0, '127.0.0.1', () => {
        const { port: free } = server.address() as AddressInfo;
        server.close(() => done(free));
      });
    });
    url = new URL(`http://127.0.0.1:${port}`);
    writeFileSync(join(folder, 'config.yml'), 'route: {receiver: nobody}\nreceivers: [{name: nobody}]\n');
    const flags = ['--config.file', join(folder, 'config.yml'), '--storage.path', join(folder, 'data')];
    child = spawn(program, [...flags, '--cluster.listen-address=', `--web.listen-address=127.0.0.1:${port}`], {
      stdio: 'ignore',
    });
    for (let attempt = 0; attempt < 200; attempt++) {
      if (await alerts().catch(() => undefined)) return;
      await new Promise((done) => setTimeout(done, 200));
    }
    throw new Error('Alertmanager does not answer');
  }, 60_000);
  afterAll(async () => {
    const ended = new Promise((done) => child?.once('exit', done));
    child?.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });

  test('accepts a message, and resolves it after an hour', async () => {
    const now = Date.now();
    const message: Message = {
      id: 'one',
      project: 'shop',
      team: 'commerce',
      onCall: '#shop',
      resource: 'pods',
      state: 'filling',
      used: '9',
      quota: '10',
      percent: 90,
      fullOn: undefined,
      earliest: undefined,
      latest: undefined,
      at: new Date(now).toISOString(),
      text: 'The quota of pods in project shop is filling.',
    };
    await alertmanagerSender({ url }).send([message]);
    const [found, ...more] = JSON.parse(await alerts()) as { labels: object; endsAt: string; status: object }[];
    expect(more).toEqual([]);
    expect(found).toMatchObject({
      labels: { alertname: 'ProjectQuota', project: 'shop', resource: 'pods', state: 'filling' },
      status: { state: expect.stringMatching(/active|unprocessed/) as string },
    });
    expect(Date.parse(found?.endsAt ?? '')).toBe(now + 3_600_000);
  });
});
