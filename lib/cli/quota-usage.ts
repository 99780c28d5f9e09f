import { readFileSync } from 'node:fs';
import { type Amounts } from '../api';
import {
  dayAt,
  ExchangeError,
  examineUsage,
  historiesIn,
  joinUsage,
  prometheusUsage,
  quotasInForce,
  usageSelector,
  type Usage,
} from '../quota';
import { UsageError } from './arguments';
import { capacityInput, refused } from './capacity-input';
import { withCluster } from './cluster-connection';
import { type ExitCode } from './exit-codes';
import { Inaccessible, type Io } from './io';
import { type GivenQuota } from './quota-options';

/** What is known of the past and the present of projects. */
export interface KnownUsage {
  readonly usage: Usage;
  /** What the API server counts now, by project. */
  readonly used: ReadonlyMap<string, Amounts>;
}

/** Reads the histories that the options name, and joins them; where one cannot be read, how the process should end. */
export async function usageOf(given: GivenQuota, io: Io): Promise<KnownUsage | ExitCode> {
  const { texts, flags } = given;
  const histories: Usage[] = [];
  let used: KnownUsage['used'] = new Map();
  if (texts.usage !== undefined) {
    const input = await capacityInput(texts.usage, io);
    if (!input.document) return refused(input, io);
    const { usage, problems } = examineUsage(input.document.value);
    if (!usage) return refused({ ...input, problems: [...input.problems, ...problems] }, io);
    histories.push(usage);
  }
  if (texts.prometheus !== undefined) histories.push(await fromPrometheus(given, io));
  if (flags.live) {
    const live = await fromCluster(given, io);
    histories.push(live.usage);
    used = live.used;
  }
  return { usage: joinUsage(...histories), used };
}

async function fromPrometheus({ texts }: GivenQuota, io: Io): Promise<Usage> {
  const text = texts.prometheus ?? '';
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new UsageError('--prometheus takes a URL of http or https');
  const days = Number(texts.days ?? 90);
  if (!Number.isInteger(days) || days < 1 || days > 400)
    throw new UsageError('--days takes a whole number from 1 to 400');
  if (!io.outside) throw new Inaccessible('there is no way to Prometheus from here');
  const file = texts['token-file'];
  try {
    return await prometheusUsage({
      url: new URL(text),
      days,
      // The last whole day.
      last: dayAt(io.outside.clock.now()) - 1,
      ...(file !== undefined && { token: readFileSync(file, 'utf8').trim() }),
    });
  } catch (error) {
    if (error instanceof ExchangeError) throw new Inaccessible(error.message);
    if (error instanceof Error && 'syscall' in error) throw new Inaccessible(`${file ?? ''}: cannot be read`);
    throw error;
  }
}

/** The watcher's own histories, and what ResourceQuotas count now. */
async function fromCluster({ texts }: GivenQuota, io: Io): Promise<KnownUsage> {
  return withCluster(texts, io, async (cluster) => {
    const maps = await cluster.list('ConfigMap', { labelSelector: usageSelector });
    const inForce = quotasInForce(await cluster.list('ResourceQuota'));
    return {
      usage: historiesIn(maps),
      used: new Map([...inForce].map(([project, { used }]) => [project, used])),
    };
  });
}
