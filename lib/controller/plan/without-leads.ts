import { type BlockingIssue, type PlanStep } from './plan-step';

/** Kinds whose objects hold pods. */
const holders = new Set(['Deployment', 'StatefulSet', 'DaemonSet']);
/** What leads traffic or commands to pods by name or label, and would lead it away from those of somebody else, or to them. */
const leads = new Set(['Service', 'Ingress', 'HorizontalPodAutoscaler', 'PodDisruptionBudget', 'NetworkPolicy']);
/** Obstacles that say that an object of a wanted name is somebody else's. */
const ofOthers = new Set(['NameConflict', 'SelectorMismatch']);

/**
 * Steps without those that would make or take over what leads to pods, while the object that holds the pods is somebody
 * else's: the others' traffic stays where it is. The same for what leads to a Service that is somebody else's.
 */
export function withoutLeads(steps: readonly PlanStep[], obstacles: readonly BlockingIssue[]): readonly PlanStep[] {
  const taken = obstacles.filter(({ reason }) => ofOthers.has(reason)).map(({ kind }) => kind);
  const held = taken.some((kind) => holders.has(kind))
    ? leads
    : taken.includes('Service')
      ? new Set(['Ingress'])
      : undefined;
  if (!held) return steps;
  return steps.filter(({ do: what, why, ...step }) => {
    const isNew = what === 'apply' && (why === 'created' || why === 'adopted');
    return !(isNew && 'object' in step && held.has(step.object.kind));
  });
}
