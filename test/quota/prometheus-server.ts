import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Why Prometheus cannot be started here; undefined where it can. */
export function whyNoPrometheus(): string | undefined {
  const missing = ['prometheus', 'promtool'].filter((name) => spawnSync(name, ['--version']).status !== 0);
  return missing.length > 0 ? `${missing.join(' and ')} of Debian's package prometheus is not here` : undefined;
}

/** Scrape target of a job. */
export interface ScrapeJob {
  readonly job: string;
  readonly url: string;
  /** Scrape credentials; the server certificate is not verified. @default - plain HTTP */
  readonly token?: string;
  /** Additional scrape configuration. @default - none */
  readonly params?: object;
}

/** A series with its value. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** An alert as Prometheus returns it. */
export interface LiveAlert {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly state: 'pending' | 'firing';
}

/** A Prometheus on loopback, with backfilled samples or scrape targets. */
export class PrometheusServer {
  private constructor(
    readonly url: URL,
    private readonly child: ChildProcess,
    private readonly folder: string,
  ) {}

  /** Starts a server with samples in OpenMetrics format. */
  static async start(samples: string): Promise<PrometheusServer> {
    const folder = mkdtempSync(join(tmpdir(), 'pinion-prometheus-'));
    writeFileSync(join(folder, 'samples.txt'), `${samples}# EOF\n`);
    const made = spawnSync(
      'promtool',
      ['tsdb', 'create-blocks-from', 'openmetrics', join(folder, 'samples.txt'), join(folder, 'data')],
      {
        encoding: 'utf8',
      },
    );
    if (made.status !== 0) throw new Error(`promtool: ${made.stdout}${made.stderr}`);
    return PrometheusServer.#launch(folder, {});
  }

  /** Starts a server that scrapes targets and evaluates rules every second. */
  static scraping(jobs: readonly ScrapeJob[], rules: object = { groups: [] }): Promise<PrometheusServer> {
    const folder = mkdtempSync(join(tmpdir(), 'pinion-prometheus-'));
    writeFileSync(join(folder, 'rules.json'), JSON.stringify(rules));
    return PrometheusServer.#launch(folder, {
      global: { scrape_interval: '1s', evaluation_interval: '1s' },
      rule_files: [join(folder, 'rules.json')],
      scrape_configs: jobs.map(({ job, url, token, params }) => ({
        job_name: job,
        scheme: new URL(url).protocol.slice(0, -1),
        static_configs: [{ targets: [new URL(url).host] }],
        ...(token !== undefined && {
          authorization: { credentials: token },
          tls_config: { insecure_skip_verify: true },
        }),
        ...params,
      })),
    });
  }

  static async #launch(folder: string, configuration: object): Promise<PrometheusServer> {
    writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify(configuration));
    const port = await freePort();
    const flags = [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
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

  /** Returns the labels and values of an expression at the current time. */
  async query(expression: string): Promise<readonly Sample[]> {
    const { result } = (await this.#get(`/api/v1/query?query=${encodeURIComponent(expression)}`)) as {
      readonly result: readonly { readonly metric: Sample['labels']; readonly value: readonly [number, string] }[];
    };
    return result.map(({ metric, value }) => ({ labels: metric, value: Number(value[1]) }));
  }

  /** Returns firing and pending alerts with their annotations. */
  async alerts(): Promise<readonly LiveAlert[]> {
    return ((await this.#get('/api/v1/alerts')) as { readonly alerts: readonly LiveAlert[] }).alerts;
  }

  #get(path: string): Promise<unknown> {
    return new Promise((done, refuse) => {
      get(new URL(path, this.url), (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        answer.on('end', () => {
          const { status, data, error } = JSON.parse(text) as { status: string; data?: unknown; error?: string };
          if (status === 'success') done(data);
          else refuse(new Error(`Prometheus: ${error ?? text}`));
        });
      }).on('error', refuse);
    });
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
