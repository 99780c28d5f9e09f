import { metadataKeys } from '../../api';
import { type KubernetesObject } from '../../expand';
import { type Child } from '../observed/child';

type Fields = Readonly<Record<string, unknown>>;

/** State of the hooks of a workload, kept in its status so that a new leader continues where the previous one stopped. */
export interface HookRecord {
  /** Hash of the deployed spec that the hooks run for. */
  readonly spec: string;
  readonly phase: 'Running' | 'Failed' | 'Succeeded';
  /** Hook that runs or has failed, and its Job. */
  readonly hook?: string;
  readonly job?: string;
  /** UID of the Job once it was seen: if it is gone then, it was deleted. */
  readonly jobUid?: string;
  /** Exit code of the container of the failed hook. */
  readonly exitCode?: number;
  /** Why the hook failed. */
  readonly message?: string;
  /** Names the attempt to run the hooks for this spec; in the names of their Jobs. */
  readonly attempt?: string;
  /** Requested retry that was there when the hook failed; another one runs it again. */
  readonly retry?: string;
  /** Hooks that succeeded for this spec. */
  readonly succeeded?: readonly string[];
  /** Hashes of deployed specs whose hooks succeeded, the last one first. */
  readonly history?: readonly string[];
}

/** Maximum number of deployed specs that are remembered. */
export const maxHistory = 20;

/** Returns the record in a status; undefined if the workload never had hooks. */
export const hookRecordOf = (status: Fields | undefined): HookRecord | undefined =>
  status?.['beforeDeployment'] as HookRecord | undefined;

/** Returns a history with a deployed spec as its newest one. */
export const withDeployed = (history: readonly string[], spec: string): readonly string[] =>
  [spec, ...history.filter((other) => other !== spec)].slice(0, maxHistory);

/** Returns the record of a spec whose pods may be deployed. */
export const succeededRecord = (spec: string, history: readonly string[]): HookRecord => ({
  spec,
  phase: 'Succeeded',
  ...(history.length > 0 && { history }),
});

/** Kinds of objects that carry the history, so that it survives the loss of a status. */
const carriers: ReadonlySet<string> = new Set(['Deployment', 'StatefulSet']);

/** Returns the history that the objects of a workload carry. */
export function carriedHistory(owned: readonly Child[]): readonly string[] {
  const texts = owned
    .filter(({ kind }) => carriers.has(kind))
    .map((child) => child.content().metadata.annotations?.[metadataKeys.hooksSucceeded] ?? '');
  return [...new Set(texts.flatMap((text) => text.split(',')).filter((hash) => hash !== ''))].slice(0, maxHistory);
}

/** Returns an object that carries the history if it is of such a kind. */
export const withHistory = (object: KubernetesObject, history: readonly string[]): KubernetesObject =>
  carriers.has(object.kind) && history.length > 0
    ? {
        ...object,
        metadata: {
          ...object.metadata,
          annotations: { ...object.metadata.annotations, [metadataKeys.hooksSucceeded]: history.join(',') },
        },
      }
    : object;
