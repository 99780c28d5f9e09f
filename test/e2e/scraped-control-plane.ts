import { type RuleFile } from '../../lib/observability';
import { controlPlanePrograms, findBinaries } from '../control-plane/binaries';
import { type ControlPlaneOptions } from '../control-plane/control-plane';
import { existingClusterKubeconfig, unavailable } from '../control-plane/existing-cluster';
import { RunningControlPlane } from '../control-plane/running-control-plane';
import { describeRunning } from '../control-plane/running-suite';
import { retryOnPortConflict } from '../control-plane/start-control-plane';
import { PrometheusServer, type ScrapeJob, whyNoPrometheus } from '../quota/prometheus-server';

/** Control plane with a Prometheus that scrapes it every second under the job names of the rules. */
export interface ScrapedControlPlane {
  readonly controlPlane: RunningControlPlane;
  readonly prometheus: PrometheusServer;
}

/** Options of the control plane and its Prometheus. */
export interface ScrapedOptions extends Omit<ControlPlaneOptions, 'paths'> {
  /** Minor version of the API server. @default 1.36 */
  readonly kubernetes?: '1.35' | '1.36';
  /** @default - none */
  readonly rules?: RuleFile;
  /** Further targets. @default - none */
  readonly jobs?: readonly ScrapeJob[];
}

/** Returns the scrape jobs of a control plane. */
export const controlPlaneJobs = ({ url, etcdUrl, credentials }: RunningControlPlane): ScrapeJob[] => [
  { job: 'apiserver', url, token: credentials.tokens['admin'] ?? '' },
  { job: 'etcd', url: etcdUrl },
];

/** Defines a suite with its own scraped control plane; without the binaries its tests are skipped with the reason in the title. */
export function describeScraped(
  title: string,
  { kubernetes = '1.36', rules, jobs = [], ...options }: ScrapedOptions,
  define: (running: () => ScrapedControlPlane) => void,
): void {
  const start = async (): Promise<Running> => {
    const controlPlane = await retryOnPortConflict(() =>
      RunningControlPlane.start({ ...options, paths: { ...paths(), 'kube-apiserver': server() } }),
    );
    try {
      const all = [...controlPlaneJobs(controlPlane), ...jobs];
      return new Running(controlPlane, await PrometheusServer.scraping(all, rules));
    } catch (error) {
      await controlPlane.stop();
      throw error;
    }
  };
  const binaries = findBinaries(controlPlanePrograms);
  const apiServerBinary = kubernetes === '1.36' ? binaries : findBinaries(['kube-apiserver-1.35']);
  const paths = () => (binaries as Extract<typeof binaries, { readonly paths: unknown }>).paths;
  const server = (): string =>
    'paths' in apiServerBinary
      ? ((apiServerBinary.paths as Readonly<Record<string, string>>)[
          kubernetes === '1.36' ? 'kube-apiserver' : 'kube-apiserver-1.35'
        ] ?? '')
      : '';
  const skipReason =
    existingClusterKubeconfig() !== undefined
      ? unavailable.platform
      : 'skipped' in binaries
        ? binaries.skipped
        : 'skipped' in apiServerBinary
          ? apiServerBinary.skipped
          : whyNoPrometheus();
  const subject = 'the control plane and its Prometheus';
  describeRunning(
    title,
    { what: subject, start: skipReason === undefined ? start : { skipped: skipReason }, timeout: 180_000 },
    define,
  );
}

class Running implements ScrapedControlPlane {
  constructor(
    readonly controlPlane: RunningControlPlane,
    readonly prometheus: PrometheusServer,
  ) {}

  async stop(options: { readonly keepLogs: boolean }): Promise<string | undefined> {
    await this.prometheus.stop();
    return this.controlPlane.stop(options);
  }
}
