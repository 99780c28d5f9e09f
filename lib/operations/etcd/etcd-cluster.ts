import { isPlainObject } from '../../api';
import { EtcdEndpoint, EtcdRequestError, type EtcdTls, type JsonObject } from './etcd-endpoint';
import { type EtcdAlarm, type EtcdMember, type EtcdObserved } from './etcd-observed';
import { type EtcdStep } from './plan-etcd';
import { errorText } from '../../process';

/** Key in which API servers note the revision that they compacted to; it is written when they do so. */
const compactionKey = 'compact_rev_key';

/** Where an etcd is. */
export interface EtcdAddress {
  /** Addresses of at least one member; the others are found by it. */
  readonly endpoints: readonly string[];
  readonly tls?: EtcdTls;
}

/** All members of an etcd, seen and changed through the addresses of each. */
export class EtcdCluster {
  private readonly given: readonly EtcdEndpoint[];
  private readonly chosen = new Map<string, EtcdEndpoint>();

  constructor(private readonly address: EtcdAddress) {
    this.given = address.endpoints.map((url) => new EtcdEndpoint(url, address.tls));
  }

  /** Asks every member. Throws an `EtcdRefusal` where none can say who the members are. */
  async observe(): Promise<EtcdObserved> {
    const listed = await this.firstAnswer('cluster/member/list');
    const members = await Promise.all(recordsIn(listed, 'members').map((member) => this.lookAt(member)));
    const healthy = members.find(({ unhealthyReason }) => unhealthyReason === undefined);
    const endpoint = healthy && this.chosen.get(healthy.id);
    const revision = Math.max(0, ...members.map((member) => member.revision));
    if (!endpoint) return { members, alarms: [], revision, compacted: 0 };
    const [alarms, compacted, noted] = await Promise.all([
      endpoint.call('maintenance/alarm', { action: 'GET' }),
      compactedOf(endpoint),
      notedOf(endpoint),
    ]);
    return {
      members,
      alarms: recordsIn(alarms, 'alarms').map(alarmOf),
      revision,
      compacted,
      ...(noted !== undefined && { noted }),
    };
  }

  /** Does one step at the member that it is for. Throws an `EtcdRefusal`. */
  async carryOut(step: EtcdStep, stepTime: number): Promise<void> {
    const endpoint = this.endpointOf(step.member);
    switch (step.do) {
      case 'compact':
        await endpoint
          .call('kv/compaction', { revision: String(step.revision), physical: true }, stepTime)
          .catch(unlessCompacted);
        return;
      case 'defrag':
        await endpoint.call('maintenance/defragment', {}, stepTime);
        return;
      case 'disarm':
        await endpoint.call('maintenance/alarm', { action: 'DEACTIVATE', memberID: step.member, alarm: step.kind });
    }
  }

  /** Where a member was last found. */
  endpointOf(member: string): EtcdEndpoint {
    const endpoint = this.chosen.get(member) ?? this.given[0];
    if (!endpoint) throw new EtcdRequestError('no endpoint of etcd is known');
    return endpoint;
  }

  private async firstAnswer(method: string): Promise<JsonObject> {
    const failures: string[] = [];
    for (const endpoint of this.given) {
      try {
        return await endpoint.call(method);
      } catch (error) {
        failures.push(errorText(error));
      }
    }
    throw new EtcdRequestError(failures.join('; '));
  }

  /** A member as it says itself, at an address that was given for it, else at those that it advertises. */
  private async lookAt(listed: JsonObject): Promise<EtcdMember> {
    const id = textOf(listed, 'ID');
    const urls = Array.isArray(listed['clientURLs']) ? listed['clientURLs'].map(String) : [];
    const known = this.chosen.get(id);
    const candidates = [
      ...(known ? [known] : []),
      ...this.given,
      ...urls.map((url) => new EtcdEndpoint(url, this.address.tls)),
    ];
    const silent = { ...silentMember, id, name: textOf(listed, 'name') || id, url: known?.url ?? urls[0] ?? '' };
    let unhealthyReason = urls.length === 0 ? 'it was added and has not started' : 'it does not answer';
    for (const endpoint of candidates) {
      try {
        const status = await endpoint.call('maintenance/status');
        if (headOf(status)['member_id'] !== id) continue;
        this.chosen.set(id, endpoint);
        const found = { ...silent, ...memberOf(status), url: endpoint.url };
        const wrong = await unhealthyReasonOf(endpoint, status);
        return wrong === undefined ? found : { ...found, unhealthyReason: wrong };
      } catch (error) {
        unhealthyReason = errorText(error);
      }
    }
    return { ...silent, unhealthyReason };
  }
}

const silentMember = {
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
    revision: numberOf(headOf(status), 'revision'),
    leader: leader === '0' ? '' : leader,
    committed: numberOf(status, 'raftIndex'),
    applied: numberOf(status, 'raftAppliedIndex'),
    learner: status['isLearner'] === true,
  };
}

/** A member may answer of itself and yet be cut off: a read that all must agree to shows it. A learner takes none. */
async function unhealthyReasonOf(endpoint: EtcdEndpoint, status: JsonObject): Promise<string | undefined> {
  if (status['isLearner'] === true) return undefined;
  try {
    await endpoint.call('kv/range', { key: base64('health'), limit: '1', keys_only: true });
    return undefined;
  } catch (error) {
    return errorText(error);
  }
}

/** A watch from the beginning is refused with the revision of the last compaction, and otherwise begins. */
async function compactedOf(endpoint: EtcdEndpoint): Promise<number> {
  const enough = new Error('enough was read');
  let compacted = 0;
  let answers = 0;
  const request = { create_request: { key: base64('\0'), start_revision: '1', progress_notify: false } };
  const asked = endpoint.stream('watch', request, watchPatience, (result) => {
    compacted = numberOf(result, 'compact_revision');
    answers += 1;
    if (compacted > 0 || answers > 1) throw enough;
  });
  await asked.catch((error: unknown) => {
    // Nothing more comes from a watch that has begun.
    if (error !== enough && answers === 0) throw error;
  });
  return compacted;
}

/** Milliseconds in which a watch is refused, if it is. */
const watchPatience = 1_000;

async function notedOf(endpoint: EtcdEndpoint): Promise<number | undefined> {
  const [found] = recordsIn(await endpoint.call('kv/range', { key: base64(compactionKey) }), 'kvs');
  return found && numberOf(found, 'mod_revision');
}

const alarmOf = (alarm: JsonObject): EtcdAlarm => ({
  member: textOf(alarm, 'memberID'),
  kind: alarm['alarm'] === 'CORRUPT' ? 'CORRUPT' : 'NOSPACE',
});

/** A compaction to a revision that was compacted already is one that was done. */
function unlessCompacted(error: unknown): void {
  if (!errorText(error).includes('required revision has been compacted')) throw error;
}

const headOf = (answer: JsonObject): JsonObject => (isPlainObject(answer['header']) ? answer['header'] : {});
const textOf = (object: JsonObject, name: string): string => (typeof object[name] === 'string' ? object[name] : '');
const numberOf = (object: JsonObject, name: string): number => Number(object[name] ?? 0) || 0;
const recordsIn = (answer: JsonObject, name: string): readonly JsonObject[] =>
  Array.isArray(answer[name]) ? answer[name].filter(isPlainObject) : [];
const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');
