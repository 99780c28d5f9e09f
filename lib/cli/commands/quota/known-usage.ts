import { readFileSync } from 'node:fs';
import { type ResourceList } from '../../../api';
import {
  dayAt,
  ExternalRequestError,
  safeParseUsage,
  historiesIn,
  joinUsage,
  prometheusUsage,
  quotasInForce,
  usageSelector,
  type Usage,
} from '../../../quota';
import { readSingleDocument, printRejected } from '../../input/single-document';
import { withCluster } from '../../cluster/cluster-connection';
import { type ExitCode } from '../../command/exit-codes';
import { UnavailableError, type Io } from '../../io/io';
import { type HistoryOptions } from './quota-options';

/** Past and current usage of projects. */
export interface KnownUsage {
  readonly usage: Usage;
  /** Current usage as counted by the API server, by project. */
  readonly used: ReadonlyMap<string, ResourceList>;
}

/** Reads and merges the histories that the options specify; returns an exit code if one cannot be read. */
export async function readUsage(options: HistoryOptions, io: Io): Promise<KnownUsage | ExitCode> {
  const histories: Usage[] = [];
  let used: KnownUsage['used'] = new Map();
  if (options.usage !== undefined) {
    const input = await readSingleDocument(options.usage, io);
    if (!input.document) return printRejected(input, io);
    const { usage, problems } = safeParseUsage(input.document.value);
    if (!usage) return printRejected({ ...input, problems: [...input.problems, ...problems] }, io);
    histories.push(usage);
  }
  if (options.prometheus !== undefined) histories.push(await fromPrometheus(options.prometheus, options, io));
  if (options.live) {
    const live = await fromCluster(options, io);
    histories.push(live.usage);
    used = live.used;
  }
  return { usage: joinUsage(...histories), used };
}

async function fromPrometheus(url: URL, { days, 'token-file': file }: HistoryOptions, io: Io): Promise<Usage> {
  if (!io.system) throw new UnavailableError('cannot connect to Prometheus from here');
  try {
    return await prometheusUsage({
      url,
      days,
      // Ends yesterday, because today is incomplete.
      last: dayAt(io.system.clock.now()) - 1,
      ...(file !== undefined && { token: readFileSync(file, 'utf8').trim() }),
    });
  } catch (error) {
    if (error instanceof ExternalRequestError) throw new UnavailableError(error.message);
    if (error instanceof Error && 'syscall' in error) throw new UnavailableError(`${file ?? ''}: cannot be read`);
    throw error;
  }
}

/** Reads the histories of the quota monitor, and the current usage of ResourceQuotas. */
async function fromCluster(options: HistoryOptions, io: Io): Promise<KnownUsage> {
  return withCluster(options, io, async (cluster) => {
    const maps = await cluster.list('ConfigMap', { labelSelector: usageSelector });
    const activeQuotas = quotasInForce(await cluster.list('ResourceQuota'));
    return {
      usage: historiesIn(maps),
      used: new Map([...activeQuotas].map(([project, { used }]) => [project, used])),
    };
  });
}
