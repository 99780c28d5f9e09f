import { isPlainObject, manager, recommended, valueAt } from '../../api';
import { type Clock, isHeldLease, type KubeClient, resourceOf, type SentObject } from '../../kube';
import { type RollPlan } from './roll-plan';
import { type RollEnd } from './run-roll';

/** How far the replacement of the machines of a cluster is, as the cluster itself records it. */
export interface RollRecord {
  /** Value of the tag `pinion/cluster`. */
  readonly cluster: string;
  readonly state: 'Rolling' | 'Done' | 'Halted' | 'Stopped';
  /** Time of the last change of this record, RFC 3339. */
  readonly at: string;
  /** Number of machines that the last run replaced. @default - it has not ended */
  readonly replaced?: number;
  /** Number of machines still to replace, by unit. */
  readonly left: Readonly<Record<string, number>>;
  /** What the launch templates changed, such as `image ami-1 → ami-2`. */
  readonly changes: readonly string[];
  /** Why the roll halted, and the remedy. */
  readonly reason?: string;
}

/** Record of a cluster, with what is left of a roll whose command no longer runs. */
export interface RollState extends Omit<RollRecord, 'state'> {
  readonly state: RollRecord['state'] | 'Interrupted';
}

/** Lease that allows only one roll at a time. */
export const rollLease = { namespace: 'kube-system', name: 'pinion-roll' };

const key = 'roll.json';
const maxChanges = 20;

/** Writes the record of a roll; a former one is replaced. */
export async function writeRollRecord(client: KubeClient, record: RollRecord): Promise<void> {
  const labels = { [recommended.managedBy]: manager, [recommended.component]: rollLease.name };
  const metadata = { ...rollLease, labels };
  const object: SentObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { [key]: JSON.stringify(record) } };
  await client.apply(object, { fieldManager: rollLease.name, force: true });
}

/** Reads how far the last roll of a cluster is; undefined if none has begun. */
export async function readRollState(client: KubeClient, clock: Clock): Promise<RollState | undefined> {
  const live = await client.get(resourceOf('ConfigMap'), rollLease);
  const record = recordIn(valueAt(live, ['data', key]));
  if (record?.state !== 'Rolling') return record;
  const held = await client.get(resourceOf('Lease'), rollLease);
  return held && isHeldLease(held, clock.now()) ? record : { ...record, state: 'Interrupted' };
}

/** Returns a record of a text; undefined if it is none, as of another version. */
function recordIn(text: unknown): RollRecord | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    const isRecord = isPlainObject(value) && typeof value['state'] === 'string' && isPlainObject(value['left']);
    return isRecord ? (value as unknown as RollRecord) : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps the record of a running roll up to date; a roll never waits for its record, nor ends because of it. */
export class RollRecorder {
  #left = '';
  #plan: Pick<RollRecord, 'left' | 'changes'> = { left: {}, changes: [] };
  #writes: Promise<void> = Promise.resolve();

  constructor(
    private readonly deps: {
      readonly client: KubeClient;
      readonly clock: Clock;
      readonly cluster: string;
      readonly onError: (error: unknown) => void;
    },
  ) {}

  /** Records what is left, if it has changed. */
  plan({ replacements }: RollPlan): void {
    const left: Record<string, number> = {};
    for (const { unit } of replacements) left[unit] = (left[unit] ?? 0) + 1;
    const text = JSON.stringify(left);
    if (text === this.#left) return;
    this.#left = text;
    const changes = [...new Set(replacements.flatMap(({ reasons }) => reasons))].slice(0, maxChanges);
    this.#plan = { left, changes: changes.length > 0 ? changes : this.#plan.changes };
    this.#write({ state: 'Rolling' });
  }

  /** Records the end, and resolves when all is written. */
  async end(end: RollEnd): Promise<void> {
    const { replaced } = end;
    if (end.end === 'halted') {
      const { unit, reason, remedy } = end.halt;
      this.#write({ state: 'Halted', replaced, reason: `${unit}: ${reason}; ${remedy}` });
    } else this.#write({ state: end.end === 'done' ? 'Done' : 'Stopped', replaced });
    await this.#writes;
  }

  #write(state: Pick<RollRecord, 'state' | 'replaced' | 'reason'>): void {
    const { client, clock, cluster, onError } = this.deps;
    const record = { cluster, ...this.#plan, ...state, at: new Date(clock.now()).toISOString() };
    this.#writes = this.#writes.then(() => writeRollRecord(client, record)).catch(onError);
  }
}

/** Returns a state in a few words, such as `Rolling (3 left)`. */
export function rollText({ state, left }: RollState): string {
  const count = Object.values(left).reduce((sum, number) => sum + number, 0);
  return count > 0 ? `${state} (${count} left)` : state;
}

/** Returns what needs attention of a roll, as a sentence; undefined if nothing does. */
export function rollFinding({ state, reason, cluster }: RollState): string | undefined {
  if (state === 'Halted') return `The roll of the nodes halted: ${reason ?? 'the reason is not recorded'}.`;
  if (state === 'Interrupted' || state === 'Stopped')
    return `The roll of the nodes was interrupted; run pinion cluster roll ${cluster} again to continue.`;
  return undefined;
}
