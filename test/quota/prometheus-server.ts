import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Why no Prometheus can be started here; undefined where it can. */
export function whyNoPrometheus(): string | undefined {
  const missing = ['prometheus', 'promtool'].filter((name) => spawnSync(name, ['--version']).status !== 0);
  return missing.length > 0 ? `${missing.join(' and ')} of Debian's package prometheus is not here` : undefined;
}

/** A Prometheus on loopback with a past that was written for it. */
export class PrometheusServer {
  private constructor(
    readonly url: URL,
    private readonly child: ChildProcess,
    private readonly folder: string,
  ) {}

  /** Starts one with samples in the text form of OpenMetrics. */
  static async start(samples: string): Promise<PrometheusServer> {
    const folder = mkdtempSync(join(tmpdir(), 'pinion-prometheus-'));
    writeFileSync(join(folder, 'samples.txt'), `${samples}# EOF\n`);
    writeFileSync(join(folder, 'prometheus.yml'), '{}');
    const data = join(folder, 'data');
    const made = spawnSync(
      'promtool',
      ['tsdb', 'create-blocks-from', 'openmetrics', join(folder, 'samples.txt'), data],
      {
        encoding: 'utf8',
      },
    );
    if (made.status !== 0) throw new Error(`promtool: ${made.stdout}${made.stderr}`);
    const port = await freePort();
    const flags = [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${data}`,
      '--storage.tsdb.retention.time=10y',
      `--web.listen-address=127.0.0.1:${port}`,
    ];
    const child = spawn('prometheus', flags, { stdio: 'ignore' });
    const end = (): void => void child.kill('SIGKILL');
    process.once('exit', end);
    child.once('exit', () => process.off('exit', end));
    const server = new PrometheusServer(new URL(`http://127.0.0.1:${port}`), child, folder);
    try {
      await server.ready();
    } catch (error) {
      await server.stop();
      throw error;
    }
    return server;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const ended = new Promise((done) => this.child.once('exit', done));
      this.child.kill('SIGKILL');
      await ended;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async ready(): Promise<void> {
    for (let attempt = 0; attempt < 300; attempt++) {
      const status = await new Promise<number>((done) => {
        const asked = get(new URL('/-/ready', this.url), (answer) => {
          answer.resume();
          done(answer.statusCode ?? 0);
        });
        asked.on('error', () => done(0));
      });
      if (status === 200) return;
      await new Promise((done) => setTimeout(done, 200));
    }
    throw new Error('Prometheus is not ready after a minute');
  }
}

function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => done(port));
    });
  });
}
