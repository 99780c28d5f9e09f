import { type Problem, type Workload } from '../api';
import { safeExpand, type Expanded, type KubernetesObject } from '../expand';
import { type LiveObject, errorText } from '../client';
import { parseStoredManifest } from './parse-stored-manifest';
import { type ProjectResult } from './platform-cache';

/** Input of an expansion. */
interface ExpansionInput {
  readonly live: LiveObject;
  readonly project: ProjectResult;
  /** Digest of the verified part that it is expanded from. @default - the project is not protected */
  readonly part?: string | undefined;
}

/** Objects of a workload in its context. */
export interface WorkloadExpansion {
  readonly workload?: Workload;
  readonly objects?: readonly KubernetesObject[];
  readonly problems: readonly Problem[];
}

/** Maximum number of cached expansions; a rollout reconciles the same few workloads many times. */
const maxCached = 256;

/** Cached expansions of recently reconciled workloads. */
export class Expansions {
  readonly #cached = new Map<
    string,
    { readonly version: string; readonly project: ProjectResult; readonly expansion: WorkloadExpansion }
  >();

  /** Returns the expansion of a workload; problems are returned, never thrown. */
  of({ live, project, part }: ExpansionInput): WorkloadExpansion {
    const { uid, generation, labels, annotations } = live.metadata;
    const version = JSON.stringify([generation, labels, annotations, part]);
    const cached = this.#cached.get(uid);
    this.#cached.delete(uid);
    const isSame = cached?.version === version && identityOf(cached.project) === identityOf(project);
    const entry = isSame ? cached : { version, project, expansion: expandLive({ live, project }) };
    this.#cached.set(uid, entry); // The last entry of a map is the most recent one.
    const [oldest] = this.#cached.keys();
    if (this.#cached.size > maxCached && oldest !== undefined) this.#cached.delete(oldest);
    return entry.expansion;
  }

  /** Drops the state of a deleted workload. */
  forget(uid: string): void {
    this.#cached.delete(uid);
  }

  /** Number of cached expansions. */
  get size(): number {
    return this.#cached.size;
  }
}

const identityOf = (project: ProjectResult): object => ('context' in project ? project.context : project.problems);

/** Expands a workload in a context; problems are returned, never thrown. */
export function expandLive({ live, project }: ExpansionInput): WorkloadExpansion {
  const { manifest, problems } = parseStoredManifest(live);
  if ('problems' in project) return { problems: [...problems, ...project.problems] };
  if (!manifest) return { problems };
  const workload = manifest as Workload;
  const expanded = expandSafely(() => safeExpand(workload, project.context));
  return {
    workload,
    ...(expanded.objects && { objects: expanded.objects }),
    problems: [...problems, ...expanded.problems],
  };
}

/**
 * Expands a workload; an unexpected error is reported in its status, like other problems, and affects no other
 * workload.
 */
function expandSafely(expand: () => Expanded): Expanded {
  try {
    return expand();
  } catch (error) {
    const reason = `could not be expanded: ${errorText(error)}`;
    return { problems: [{ code: 'wrong-type', path: [], reason, remedy: 'report it to the platform team' }] };
  }
}
