import * as z from 'zod';

/** Quantities by resource. */
const asks = z.record(z.string(), z.string());
/** Peak requests of each workload (`Kind/name`) of a deployment, by cluster. */
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
  /** Rest of the caller as authenticated with the request, which is authorized again before each cluster. */
  caller: z.object({ kind: z.enum(['User', 'ServiceAccount']), groups: z.array(z.string()) }).optional(),
  /** Hash of the request: reusing the key with another request is rejected. */
  request: z.string(),
  breakGlass: z.string().optional(),
  commit: z.string().optional(),
  review: z.string().optional(),
  /** Whether it was queued for quota when it was accepted. */
  waits: z.boolean(),
  asks: asksByTarget,
});
const readyDeployment = z.object({
  id: z.string(),
  version: z.string(),
  digest: z.string(),
  sequence: z.int(),
  readyAt: z.string(),
});
const stageHistory = z.object({
  /** Ready deployments, newest first. */
  ready: z.array(readyDeployment),
  /** ID of the last deployment, regardless of its result. */
  last: z.string().optional(),
  /** Digests that are no longer needed and may not be released in the store yet. */
  released: z.array(z.string()).optional(),
});
const schema = z.object({
  sequence: z.int(),
  open: z.array(entry),
  ended: z.array(z.object({ id: z.string(), sequence: z.int(), at: z.string(), asks: asksByTarget })),
  histories: z.record(z.string(), stageHistory),
  /** Idempotency keys of requests that repeat one with another key, newest last. */
  aliases: z.array(z.object({ id: z.string(), request: z.string(), deployment: z.string() })).default([]),
});

/** Accepted deployment that has not ended. */
export type LedgerEntry = z.output<typeof entry>;
/** A deployment that became Ready. */
export type ReadyDeployment = z.output<typeof readyDeployment>;
/** History of the deployments of a workflow to a stage. */
export type StageHistory = z.output<typeof stageHistory>;
/**
 * Deployments in progress of a project, in one object: written with its resourceVersion as precondition, so that they
 * have one order, and each admission sees the requests of all of them.
 */
export type ProjectLedger = z.output<typeof schema>;

/** Empty ledger. */
export const emptyLedger: ProjectLedger = { sequence: 0, open: [], ended: [], histories: {}, aliases: [] };

/** Maximum number of deployments in progress in a project. */
export const maxOpen = 64;
/** Maximum size of a ledger that accepts another deployment: the API server's limit less what open deployments will add. */
export const maxLedgerBytes = 800_000;
/** Returns the serialized size of a ledger. */
export const bytesOf = (ledger: ProjectLedger): number => Buffer.byteLength(JSON.stringify(ledger));
/** Ready versions that a stage history keeps for rollbacks; fewer if there are many histories, to bound the ledger. */
const [maxReady, fewReady, manyHistories] = [10, 3, 100];
const maxAliases = 256;
/** Milliseconds for which the requests of an ended deployment count, until every cache has seen it. */
const recentMs = 60_000;
/** Sequence numbers of a deployment: one for its artifact, one for its rollback. */
const step = 2;

/** Parses a ledger; returns undefined if it is invalid. */
export function readLedger(text: string | undefined): ProjectLedger | undefined {
  if (text === undefined) return undefined;
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Workflow, and one of its stages. */
export interface WorkflowStage {
  readonly workflow: string;
  readonly stage: string;
}

/** Returns the key of a stage history. */
export const stageHistoryKey = ({ workflow, stage }: WorkflowStage): string => `${workflow}/${stage}`;

/** Returns the history of a workflow in a stage. */
export const stageHistoryOf = (ledger: ProjectLedger, of: WorkflowStage): StageHistory =>
  ledger.histories[stageHistoryKey(of)] ?? { ready: [] };

/** Returns the ledger with the sequence from before a deployment was accepted. */
export const rewindSequence = (ledger: ProjectLedger, sequence: number): ProjectLedger => ({
  ...ledger,
  sequence: sequence - step,
});

/** Returns the ledger with a deployment after all others, and after the largest sequence on its clusters (`minSequence`), because a ledger may be lost. */
export function opened(ledger: ProjectLedger, newEntry: Omit<LedgerEntry, 'sequence'>, minSequence = 0): ProjectLedger {
  const isKnown = minSequence < ledger.sequence + step;
  const sequence = (isKnown ? ledger.sequence : Math.ceil(minSequence / step) * step) + step;
  const key = stageHistoryKey(newEntry);
  return {
    ...ledger,
    sequence,
    open: [...ledger.open, { ...newEntry, sequence }],
    histories: { ...ledger.histories, [key]: { ...stageHistoryOf(ledger, newEntry), last: newEntry.id } },
  };
}

/** Returns the ledger with a queued deployment admitted. */
export const admitted = (ledger: ProjectLedger, id: string): ProjectLedger => ({
  ...ledger,
  open: ledger.open.map((one) => (one.id === id ? { ...one, waits: false } : one)),
});

/** Returns the ledger after the end of a deployment. `at` is RFC 3339; `alreadyReleased` are digests released in the store. */
export function closed(
  ledger: ProjectLedger,
  id: string,
  at: string,
  ready: boolean,
  alreadyReleased: ReadonlySet<string> = new Set(),
): ProjectLedger {
  const found = ledger.open.find((one) => one.id === id);
  if (!found) return ledger;
  const { sequence, asks: requests, version, digest, waits } = found;
  const before = stageHistoryOf(ledger, found);
  const others = before.ready.filter((one) => one.digest !== digest);
  const histories = ready
    ? {
        ...ledger.histories,
        [stageHistoryKey(found)]: {
          ...before,
          ready: [{ id, version, digest, sequence, readyAt: at }, ...others].slice(
            0,
            Object.keys(ledger.histories).length > manyHistories ? fewReady : maxReady,
          ),
        },
      }
    : ledger.histories;
  const next = {
    ...ledger,
    open: ledger.open.filter((one) => one.id !== id),
    // A deployment that was queued to its end was never applied and requests nothing.
    ended: [
      ...ledger.ended.filter((one) => endedRecently(one, Date.parse(at))),
      { id, sequence, at, asks: waits ? {} : requests },
    ],
    histories,
  };
  const kept = neededDigests(next, found);
  const unreleased = (before.released ?? []).filter((one) => !alreadyReleased.has(one));
  const released = [...new Set([...unreleased, ...neededDigests(ledger, found)])].filter((one) => !kept.includes(one));
  const { released: _former, ...history } = stageHistoryOf(next, found);
  return {
    ...next,
    histories: { ...histories, [stageHistoryKey(found)]: { ...history, ...(released.length > 0 && { released }) } },
  };
}

/** Returns whether a deployment ended so recently that a cache may not have seen its objects; `now` is in milliseconds since the Unix epoch. */
export const endedRecently = ({ at }: { readonly at: string }, now: number): boolean => Date.parse(at) > now - recentMs;

/** Idempotency key that refers to the deployment of another key. */
export type Alias = ProjectLedger['aliases'][number];

/** Returns the alias of a key; undefined if it has none. */
export const aliasOf = ({ aliases }: ProjectLedger, id: string): Alias | undefined =>
  aliases.find((one) => one.id === id);

/** Returns the ledger with another alias; the oldest are dropped beyond a maximum. */
export const aliased = (ledger: ProjectLedger, alias: Alias): ProjectLedger => ({
  ...ledger,
  aliases: [...ledger.aliases, alias].slice(-maxAliases),
});

/** Returns the digests that deployments of a workflow to a stage may still need. */
export function neededDigests(ledger: ProjectLedger, of: WorkflowStage): string[] {
  const key = stageHistoryKey(of);
  const open = ledger.open.filter((one) => stageHistoryKey(one) === key).map(({ digest }) => digest);
  return [...new Set([...open, ...stageHistoryOf(ledger, of).ready.map(({ digest }) => digest)])];
}

/** Returns whether two deployments share a stage history or a workload, so that they run in order of request. */
export const conflicts = (a: LedgerEntry, b: LedgerEntry): boolean =>
  stageHistoryKey(a) === stageHistoryKey(b) ||
  Object.entries(a.asks).some(([target, workloads]) =>
    Object.keys(workloads).some((workload) => b.asks[target]?.[workload] !== undefined),
  );
