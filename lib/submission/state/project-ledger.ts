import * as z from 'zod';

/** Amounts by resource, as quantities. */
const asks = z.record(z.string(), z.string());
/** What each workload (`Kind/name`) of a deployment asks for at its peak, by cluster. */
const asksByTarget = z.record(z.string(), z.record(z.string(), asks));

const entry = z.object({
  id: z.string(),
  sequence: z.int(),
  workflow: z.string(),
  version: z.string(),
  digest: z.string(),
  stage: z.string(),
  intent: z.enum(['deploy', 'rollBack']),
  requestedBy: z.object({ subject: z.string(), issuer: z.string() }),
  requestedAt: z.string(),
  /** Hash of what was asked for: the same key with another request is refused. */
  request: z.string(),
  breakGlass: z.string().optional(),
  commit: z.string().optional(),
  review: z.string().optional(),
  /** Whether there was no room for it when it was accepted. */
  waits: z.boolean(),
  asks: asksByTarget,
});
const standing = z.object({
  id: z.string(),
  version: z.string(),
  digest: z.string(),
  sequence: z.int(),
  readyAt: z.string(),
});
const lane = z.object({
  /** Ready ones, the newest first. */
  ready: z.array(standing),
  /** The deployment that was begun last, whatever came of it. */
  last: z.string().optional(),
  /** Digests that nothing needs since some deployment ended, which the store may not have been told. */
  released: z.array(z.string()).optional(),
});
const schema = z.object({
  sequence: z.int(),
  open: z.array(entry),
  ended: z.array(z.object({ id: z.string(), sequence: z.int(), at: z.string(), asks: asksByTarget })),
  lanes: z.record(z.string(), lane),
  /** Keys under which somebody asked for what another key had asked for already, the newest last. */
  aliases: z.array(z.object({ id: z.string(), request: z.string(), deployment: z.string() })).default([]),
});

/** A deployment that was accepted and has not ended. */
export type LedgerEntry = z.output<typeof entry>;
/** A deployment that became Ready. */
export type ReadyDeployment = z.output<typeof standing>;
/** What became of deployments of one workflow to one stage. */
export type StageHistory = z.output<typeof lane>;
/**
 * What a project has under way, in one object: written with its version as precondition, so that deployments of a
 * project have one order and what they promise together is known to whoever accepts the next one.
 */
export type ProjectLedger = z.output<typeof schema>;

/** A ledger in which nothing was written. */
export const emptyLedger: ProjectLedger = { sequence: 0, open: [], ended: [], lanes: {}, aliases: [] };

/** Deployments of a project that may be under way together. */
export const maxOpen = 64;
/** Bytes of a ledger in which another deployment is taken in: what the API server takes, less what the ends of all that are open add. */
export const maxLedgerBytes = 800_000;
/** Bytes of a ledger as it is written. */
export const bytesOf = (ledger: ProjectLedger): number => Buffer.byteLength(JSON.stringify(ledger));
/** Versions that were Ready which a lane remembers, to go back to; and each of so many lanes that more would fill the ledger. */
const [mostReady, fewReady, manyLanes] = [10, 3, 100];
const maxAliases = 256;
/** Milliseconds for which what a deployment asked for counts after its end: until every mirror has seen it. */
const settledAfter = 60_000;
/** Numbers that a deployment takes: one for its artifact, one for that which comes back where it fails. */
const step = 2;

/** Reads a ledger; undefined where the text is none. */
export function readLedger(text: string | undefined): ProjectLedger | undefined {
  if (text === undefined) return undefined;
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** What has a lane. */
export interface LaneName {
  readonly workflow: string;
  readonly stage: string;
}

/** Name of the lane of a workflow and stage. */
export const laneKey = ({ workflow, stage }: LaneName): string => `${workflow}/${stage}`;

/** The lane of a workflow and stage. */
export const laneOf = (ledger: ProjectLedger, of: LaneName): StageHistory => ledger.lanes[laneKey(of)] ?? { ready: [] };

/** The ledger as it was before a deployment was taken in under a number. */
export const setBack = (ledger: ProjectLedger, sequence: number): ProjectLedger => ({
  ...ledger,
  sequence: sequence - step,
});

/** The ledger with a deployment behind all others, and behind a number that is `there` on a cluster: a ledger may have been lost. */
export function opened(ledger: ProjectLedger, made: Omit<LedgerEntry, 'sequence'>, there = 0): ProjectLedger {
  const isKnown = there < ledger.sequence + step;
  const sequence = (isKnown ? ledger.sequence : Math.ceil(there / step) * step) + step;
  const key = laneKey(made);
  return {
    ...ledger,
    sequence,
    open: [...ledger.open, { ...made, sequence }],
    lanes: { ...ledger.lanes, [key]: { ...laneOf(ledger, made), last: made.id } },
  };
}

/** The ledger in which a waiting deployment has its room. */
export const admitted = (ledger: ProjectLedger, id: string): ProjectLedger => ({
  ...ledger,
  open: ledger.open.map((one) => (one.id === id ? { ...one, waits: false } : one)),
});

/** The ledger after the end of a deployment; `ready` where all of it became Ready. `at` is RFC 3339; of what is `told` the store has heard. */
export function closed(
  ledger: ProjectLedger,
  id: string,
  at: string,
  ready: boolean,
  told: ReadonlySet<string> = new Set(),
): ProjectLedger {
  const found = ledger.open.find((one) => one.id === id);
  if (!found) return ledger;
  const { sequence, asks: asked, version, digest, waits } = found;
  const before = laneOf(ledger, found);
  const others = before.ready.filter((one) => one.digest !== digest);
  const lanes = ready
    ? {
        ...ledger.lanes,
        [laneKey(found)]: {
          ...before,
          ready: [{ id, version, digest, sequence, readyAt: at }, ...others].slice(
            0,
            Object.keys(ledger.lanes).length > manyLanes ? fewReady : mostReady,
          ),
        },
      }
    : ledger.lanes;
  const next = {
    ...ledger,
    open: ledger.open.filter((one) => one.id !== id),
    // What waited to its end was never applied, and asks for nothing.
    ended: [
      ...ledger.ended.filter((one) => isLate(one, Date.parse(at))),
      { id, sequence, at, asks: waits ? {} : asked },
    ],
    lanes,
  };
  const kept = neededDigests(next, found);
  const untold = (before.released ?? []).filter((one) => !told.has(one));
  const released = [...new Set([...untold, ...neededDigests(ledger, found)])].filter((one) => !kept.includes(one));
  const { released: _former, ...lane } = laneOf(next, found);
  return { ...next, lanes: { ...lanes, [laneKey(found)]: { ...lane, ...(released.length > 0 && { released }) } } };
}

/** Whether something ended so lately that a mirror may not have seen what it applied; `now` in milliseconds since 1970. */
export const isLate = ({ at }: { readonly at: string }, now: number): boolean => Date.parse(at) > now - settledAfter;

/** A key that means the deployment of another one. */
export type Alias = ProjectLedger['aliases'][number];

/** What a key means that asked for something that was there already; undefined where it is none. */
export const aliasOf = ({ aliases }: ProjectLedger, id: string): Alias | undefined =>
  aliases.find((one) => one.id === id);

/** The ledger that remembers such a key; of many, the oldest are forgotten. */
export const aliased = (ledger: ProjectLedger, alias: Alias): ProjectLedger => ({
  ...ledger,
  aliases: [...ledger.aliases, alias].slice(-maxAliases),
});

/** Digests that deployments of a lane may still need. */
export function neededDigests(ledger: ProjectLedger, of: LaneName): string[] {
  const key = laneKey(of);
  const open = ledger.open.filter((one) => laneKey(one) === key).map(({ digest }) => digest);
  return [...new Set([...open, ...laneOf(ledger, of).ready.map(({ digest }) => digest)])];
}

/** Whether two deployments touch the same thing, so that the one that was asked for first goes first. */
export const conflicts = (a: LedgerEntry, b: LedgerEntry): boolean =>
  laneKey(a) === laneKey(b) ||
  Object.entries(a.asks).some(([target, workloads]) =>
    Object.keys(workloads).some((workload) => b.asks[target]?.[workload] !== undefined),
  );
