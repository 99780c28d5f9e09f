import { readFileSync } from 'node:fs';
import { type ResourceList } from '../../../api';
import {
  dayAt,
  ExchangeError,
  safeParseUsage,
  historiesIn,
  joinUsage,
  prometheusUsage,
  quotasInForce,
  usageSelector,
  type Usage,
} from '../../../quota';
import { UsageError } from '../../command/arguments';
import { readSingleDocument, printRejected } from '../../input/single-document';
import { withCluster } from '../../cluster/cluster-connection';
import { type ExitCode } from '../../command/exit-codes';
import { UnavailableError, type Io } from '../../io/io';
import { type QuotaArguments } from './quota-options';

/** What is known of the past and the present of projects. */
export interface KnownUsage {
  readonly usage: Usage;
  /** What the API server counts now, by project. */
  readonly used: ReadonlyMap<string, ResourceList>;
}

/** Reads the histories that the options name, and joins them; where one cannot be read, how the process should end. */
export async function readUsage(given: QuotaArguments, io: Io): Promise<KnownUsage | ExitCode> {
  const { values, flags } = given;
  const histories: Usage[] = [];
  let used: KnownUsage['used'] = new Map();
  if (values.usage !== undefined) {
    const input = await readSingleDocument(values.usage, io);
    if (!input.document) return printRejected(input, io);
    const { usage, problems } = safeParseUsage(input.document.value);
    if (!usage) return printRejected({ ...input, problems: [...input.problems, ...problems] }, io);
    histories.push(usage);
  }
  if (values.prometheus !== undefined) histories.push(await fromPrometheus(given, io));
  if (flags.live) {
    const live = await fromCluster(given, io);
    histories.push(live.usage);
    used = live.used;
  }
  return { usage: joinUsage(...histories), used };
}

async function fromPrometheus({ values }: QuotaArguments, io: Io): Promise<Usage> {
  const text = values.prometheus ?? '';
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new UsageError('--prometheus takes a URL of http or https');
  const days = Number(values.days ?? 90);
  if (!Number.isInteger(days) || days < 1 || days > 400)
    throw new UsageError('--days takes a whole number from 1 to 400');
  if (!io.system) throw new UnavailableError('there is no way to Prometheus from here');
  const file = values['token-file'];
  try {
    return await prometheusUsage({
      url: new URL(text),
      days,
      // The last whole day.
      last: dayAt(io.system.clock.now()) - 1,
      ...(file !== undefined && { token: readFileSync(file, 'utf8').trim() }),
    });
  } catch (error) {
    if (error instanceof ExchangeError) throw new UnavailableError(error.message);
    if (error instanceof Error && 'syscall' in error) throw new UnavailableError(`${file ?? ''}: cannot be read`);
    throw error;
  }
}

/** The watcher's own histories, and what ResourceQuotas count now. */
async function fromCluster({ values }: QuotaArguments, io: Io): Promise<KnownUsage> {
  return withCluster(values, io, async (cluster) => {
    const maps = await cluster.list('ConfigMap', { labelSelector: usageSelector });
    const inForce = quotasInForce(await cluster.list('ResourceQuota'));
    return {
      usage: historiesIn(maps),
      used: new Map([...inForce].map(([project, { used }]) => [project, used])),
    };
  });
}
