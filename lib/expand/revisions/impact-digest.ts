import { createHash } from 'node:crypto';
import { type PodChange } from '../restarts/pod-changes';

/** What an impact has of a workload: neither its name nor its project, so that another one like it changes no digest. */
export interface ImpactClassInput {
  readonly kind: string;
  readonly tier: string;
  /** Changes of its objects with pods. */
  readonly changes: readonly Pick<PodChange, 'kind' | 'effect' | 'restarts' | 'fields'>[];
  /** Whether its objects are those of another version of the library, so that its pods restart whatever the revision changes. */
  readonly isHeld: boolean;
}

/** Where a rollout moves the workloads of a cluster, and what that does to them. */
export interface ImpactIdentity {
  /** Revision that was rolled out last; its name is the hash of its content. */
  readonly from: string;
  /** Revision that workloads move to. */
  readonly to: string;
  /** Classes of all workloads that it is to move, in any order and number. */
  readonly classes: Iterable<string>;
}

/**
 * Returns the classes of a workload that moves to another revision: its kind and tier with each field of pods that changes, and
 * whether pods restart because of it. Pure.
 */
export function impactClassesOf({ kind, tier, changes, isHeld }: ImpactClassInput): readonly string[] {
  const classes = changes
    .filter(({ effect }) => effect !== 'unchanged')
    .flatMap(({ kind: object, restarts, fields }) => {
      const paths = fields.length > 0 ? fields.map(({ path }) => path) : [''];
      return paths.map((path) => classText(kind, tier, object, restarts ? 'restarts' : 'stays', path));
    });
  if (isHeld) classes.push(classText(kind, tier, '', 'released'));
  return classes.length > 0 ? [...new Set(classes)] : [classText(kind, tier, '', 'stays')];
}

/**
 * Returns the digest of the impact of a rollout, as `sha256:<hex>`, which a rollout can demand the approval of. It depends on the content
 * of both revisions and on which classes of workloads change, and not on the names and numbers of these workloads. Pure.
 */
export function impactDigest({ from, to, classes }: ImpactIdentity): string {
  const text = JSON.stringify([from, to, [...new Set(classes)].sort()]);
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

const classText = (...parts: readonly string[]): string => JSON.stringify(parts);
