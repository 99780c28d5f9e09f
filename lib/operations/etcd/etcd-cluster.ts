import { isPlainObject } from '../../api';
import { EtcdEndpoint, EtcdRequestError, type EtcdTls, type JsonObject } from './etcd-endpoint';
import { type EtcdAlarm, type EtcdMember, type EtcdObserved } from './etcd-observed';
import { type EtcdStep } from './plan-etcd';
import { errorText } from '../../process';

/** Key in which API servers record the revision of their last compaction. */
const compactionKey = 'compact_rev_key';

/** Address of an etcd cluster. */
export interface EtcdAddress {
  /** URLs of at least one member, which lists the others. */
  readonly endpoints: readonly string[];
  readonly tls?: EtcdTls;
}

/** Client of all members of an etcd cluster. */
export class EtcdCluster {
  private readonly configured: readonly EtcdEndpoint[];
  private readonly reachable = new Map<string, EtcdEndpoint>();

  constructor(private readonly address: EtcdAddress) {
    this.configured = address.endpoints.map((url) => new EtcdEndpoint(url, address.tls));
  }

  /** Observes every member. Throws an `EtcdRequestError` if none can list the members. */
  async observe(): Promise<EtcdObserved> {
    const listed = await this.callAny('cluster/member/list');
    const members = await Promise.all(recordsIn(listed, 'members').map((member) => this.observeMember(member)));
    const healthy = members.find(({ unhealthyReason }) => unhealthyReason === undefined);
    const endpoint = healthy && this.reachable.get(healthy.id);
    const revision = Math.max(0, ...members.map((member) => member.revision));
    if (!endpoint) return { members, alarms: [], revision, compacted: 0 };
    const [alarms, compacted, lastApiServerCompaction] = await Promise.all([
      endpoint.call('maintenance/alarm', { action: 'GET' }),
      compactedOf(endpoint),
      lastApiServerCompactionOf(endpoint),
    ]);
    return {
      members,
      alarms: recordsIn(alarms, 'alarms').map(alarmOf),
      revision,
      compacted,
      ...(lastApiServerCompaction !== undefined && { lastApiServerCompaction }),
    };
  }

  /** Executes a step at its member. Throws an `EtcdRequestError`. */
  async executeStep(step: EtcdStep, stepTime: number): Promise<void> {
    const endpoint = this.endpointOf(step.member);
    switch (step.do) {
      case 'compact':
        await endpoint
          .call('kv/compaction', { revision: String(step.revision), physical: true }, stepTime)
          .catch(ignoreCompacted);
        return;
      case 'defrag':
        await endpoint.call('maintenance/defragment', {}, stepTime);
        return;
      case 'disarm':
        await endpoint.call('maintenance/alarm', { action: 'DEACTIVATE', memberID: step.member, alarm: step.kind });
    }
  }

  /** Returns the endpoint at which a member was last reached. */
  endpointOf(member: string): EtcdEndpoint {
    const endpoint = this.reachable.get(member) ?? this.configured[0];
    if (!endpoint) throw new EtcdRequestError('no etcd endpoint is configured');
    return endpoint;
  }

  private async callAny(method: string): Promise<JsonObject> {
    const failures: string[] = [];
    for (const endpoint of this.configured) {
      try {
        return await endpoint.call(method);
      } catch (error) {
        failures.push(errorText(error));
      }
    }
    throw new EtcdRequestError(failures.join('; '));
  }

  /** Returns the status that a member itself reports, at a configured URL or at those that it advertises. */
  private async observeMember(listed: JsonObject): Promise<EtcdMember> {
    const id = textOf(listed, 'ID');
    const urls = Array.isArray(listed['clientURLs']) ? listed['clientURLs'].map(String) : [];
    const last = this.reachable.get(id);
    const candidates = [
      ...(last ? [last] : []),
      ...this.configured,
      ...urls.map((url) => new EtcdEndpoint(url, this.address.tls)),
    ];
    const unreachable = {
      ...unreachableMember,
      id,
      name: textOf(listed, 'name') || id,
      url: last?.url ?? urls[0] ?? '',
    };
    let unhealthyReason = urls.length === 0 ? 'it was added but has not started' : 'it does not respond';
    for (const endpoint of candidates) {
      try {
        const status = await endpoint.call('maintenance/status');
        if (headerOf(status)['member_id'] !== id) continue;
        this.reachable.set(id, endpoint);
        const member = { ...unreachable, ...memberOf(status), url: endpoint.url };
        const reason = await unhealthyReasonOf(endpoint, status);
        return reason === undefined ? member : { ...member, unhealthyReason: reason };
      } catch (error) {
        unhealthyReason = errorText(error);
      }
    }
    return { ...unreachable, unhealthyReason };
  }
}

const unreachableMember = {
  version: '',
  size: 0,
  inUse: 0,
  revision: 0,
  leader: '',
  committed: 0,
  applied: 0,
  learner: false,
};

function memberOf(status: JsonObject): Omit<EtcdMember, 'id' | 'name' | 'url'> {
  const quota = numberOf(status, 'dbSizeQuota');
  const leader = textOf(status, 'leader');
  return {
    version: textOf(status, 'version'),
    size: numberOf(status, 'dbSize'),
    inUse: numberOf(status, 'dbSizeInUse'),
    ...(quota > 0 && { quota }),
    revision: numberOf(headerOf(status), 'revision'),
    leader: leader === '0' ? '' : leader,
    committed: numberOf(status, 'raftIndex'),
    applied: numberOf(status, 'raftAppliedIndex'),
    learner: status['isLearner'] === true,
  };
}

/** A partitioned member still reports its own status, but fails a linearizable read. Learners do not serve reads. */
async function unhealthyReasonOf(endpoint: EtcdEndpoint, status: JsonObject): Promise<string | undefined> {
  if (status['isLearner'] === true) return undefined;
  try {
    await endpoint.call('kv/range', { key: base64('health'), limit: '1', keys_only: true });
    return undefined;
  } catch (error) {
    return errorText(error);
  }
}

/** Returns the last compacted revision: etcd rejects a watch from revision 1 with it. */
async function compactedOf(endpoint: EtcdEndpoint): Promise<number> {
  const done = new Error('done');
  let compacted = 0;
  let responses = 0;
  const request = { create_request: { key: base64('\0'), start_revision: '1', progress_notify: false } };
  const watch = endpoint.stream('watch', request, watchTimeout, (result) => {
    compacted = numberOf(result, 'compact_revision');
    responses += 1;
    if (compacted > 0 || responses > 1) throw done;
  });
  await watch.catch((error: unknown) => {
    // An accepted watch times out, because it receives no events.
    if (error !== done && responses === 0) throw error;
  });
  return compacted;
}

/** Milliseconds within which etcd rejects a watch. */
const watchTimeout = 1_000;

async function lastApiServerCompactionOf(endpoint: EtcdEndpoint): Promise<number | undefined> {
  const [found] = recordsIn(await endpoint.call('kv/range', { key: base64(compactionKey) }), 'kvs');
  return found && numberOf(found, 'mod_revision');
}

const alarmOf = (alarm: JsonObject): EtcdAlarm => ({
  member: textOf(alarm, 'memberID'),
  kind: alarm['alarm'] === 'CORRUPT' ? 'CORRUPT' : 'NOSPACE',
});

/** Ignores the error of a compaction that was done before. */
function ignoreCompacted(error: unknown): void {
  if (!errorText(error).includes('required revision has been compacted')) throw error;
}

const headerOf = (response: JsonObject): JsonObject => (isPlainObject(response['header']) ? response['header'] : {});
const textOf = (object: JsonObject, name: string): string => (typeof object[name] === 'string' ? object[name] : '');
const numberOf = (object: JsonObject, name: string): number => Number(object[name] ?? 0) || 0;
const recordsIn = (response: JsonObject, name: string): readonly JsonObject[] =>
  Array.isArray(response[name]) ? response[name].filter(isPlainObject) : [];
const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');
