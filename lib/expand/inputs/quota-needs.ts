import {
  addAmounts,
  amountsOf,
  compareQuantities,
  formatQuantity,
  numberAt,
  type Problem,
  type ResourceList,
} from '../../api';
import { footprintOf, type SomeObject } from '../footprint/footprint';
import { quotaOf } from '../platform/expand-project';
import { type ProjectContext } from '../project-context';

interface Need {
  readonly object: string;
  readonly amounts: ResourceList;
}

/** How many workloads a problem lists. */
const maxListed = 4;

/** What the workloads of Projects need at least while they run: without rollouts, scaling up, and Jobs, which can wait. */
export class QuotaNeeds {
  readonly #needs = new Map<string, { readonly context: ProjectContext; readonly needs: Need[] }>();

  /** Adds the objects of a workload, given by its name, if its Project is known and has a quota. */
  add(object: string, objects: readonly SomeObject[], context: ProjectContext): void {
    if (Object.keys(quotasOf(context)).length === 0) return;
    const { name } = context.project.metadata;
    const need = { object, amounts: footprintOf(atLeast(objects)) };
    const known = this.#needs.get(name);
    if (known) known.needs.push(need);
    else this.#needs.set(name, { context, needs: [need] });
  }

  /** Returns the problems of Projects whose quota their workloads exceed. */
  problems(): readonly Problem[] {
    return [...this.#needs.values()].flatMap(({ context, needs }) => exceeded(needs, context));
  }
}

/** Returns the quota of a known Project, without the defaults of a Platform that is assumed. */
function quotasOf({ project, platform, assumed }: ProjectContext): Readonly<Record<string, string>> {
  if (assumed.includes('Project')) return {};
  return assumed.includes('Platform') ? (project.spec.quota ?? {}) : quotaOf(project, platform);
}

function exceeded(needs: readonly Need[], context: ProjectContext): Problem[] {
  const { project } = context;
  const total = needs.map(({ amounts }) => amounts).reduce(addAmounts, {});
  const own = project.spec.quota ?? {};
  return Object.entries(amountsOf(quotasOf(context))).flatMap(([resource, quota]) => {
    const needed = total[resource];
    // The number of objects that controllers keep, such as ReplicaSets, is only a maximum.
    if (resource.startsWith('count/') || !needed || compareQuantities(needed, quota) <= 0) return [];
    const isOwn = own[resource] !== undefined;
    const before = isOwn ? '' : `defaults to the Platform's ${formatQuantity(quota)}, and `;
    return {
      code: 'out-of-range',
      path: ['spec', 'quota', resource],
      ...(isOwn && { value: own[resource] }),
      reason: `${before}is exceeded: the workloads of these inputs need at least ${formatQuantity(needed)} (${largest(needs, resource)})`,
      remedy: 'raise it, or lower the requests or replicas of these workloads',
      rule: 'quota-exceeded',
      object: `Project ${project.metadata.name}`,
    };
  });
}

/** Lists the workloads that need most of a resource. */
function largest(needs: readonly Need[], resource: string): string {
  const sorted = needs
    .flatMap(({ object, amounts: { [resource]: amount } }) => (amount ? [{ object, amount }] : []))
    .sort((a, b) => compareQuantities(b.amount, a.amount));
  const listed = sorted.slice(0, maxListed).map(({ object, amount }) => `${object}: ${formatQuantity(amount)}`);
  const more = sorted.length - listed.length;
  return [...listed, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

/** Returns the objects as they are at their smallest. */
function atLeast(objects: readonly SomeObject[]): readonly SomeObject[] {
  const kinds = new Set(['Job', 'CronJob', 'DaemonSet']);
  return objects
    .filter(({ kind }) => !kinds.has(kind))
    .map((object) => {
      const spec = object['spec'] as object;
      if (object.kind === 'Deployment') return { ...object, spec: { ...spec, strategy: { type: 'Recreate' } } };
      if (object.kind !== 'HorizontalPodAutoscaler') return object;
      return { ...object, spec: { ...spec, maxReplicas: numberAt(spec, 'minReplicas') ?? 1 } };
    });
}
