import { conditionOf, isWorkloadReady, metadataKeys, valueAt } from '../../api';
import { type WorkloadDetail, type WorkloadView } from '../../contract';
import { type LiveObject } from '../../kube';
import { type DeploymentTarget } from '../targets/deployment-target';
import { redactSpec } from './redact-spec';
import { workloadCause, progressOf } from './readiness';
import { workloadRevisionView } from './workload-revision-view';

/** View of a workload for users. */
export function createWorkloadView(target: DeploymentTarget, live: LiveObject): WorkloadView {
  const { name, namespace = '', annotations, labels } = live.metadata;
  const ready = isWorkloadReady(live);
  const cause = ready ? undefined : workloadCause(live);
  const phase = valueAt(live, ['status', 'phase']);
  const progress = progressOf(live);
  const since = momentOf(conditionOf(live['status'], 'Ready')?.lastTransitionTime);
  const artifact = annotations?.[metadataKeys.artifact];
  const stage = labels?.[metadataKeys.stage];
  return {
    project: namespace,
    target: target.name,
    kind: live.kind as WorkloadView['kind'],
    name,
    ready,
    ...(typeof phase === 'string' && { phase }),
    ...(progress !== undefined && { progress }),
    ...(cause && { cause }),
    ...(artifact !== undefined && { artifact }),
    ...(stage !== undefined && { stage }),
    ...(since !== undefined && { since }),
    links: linksOf(valueAt(live, ['spec', 'links'])),
  };
}

/** Returns a workload with its status, without values that members must not see. */
export function workloadDetail(target: DeploymentTarget, live: LiveObject): WorkloadDetail {
  const revision = workloadRevisionView(target, live);
  return {
    ...createWorkloadView(target, live),
    ...(revision && { revision }),
    children: { ...(valueAt(live, ['status', 'children']) as Record<string, string> | undefined) },
    hosts: [...((valueAt(live, ['status', 'hosts']) as readonly string[] | undefined) ?? [])],
    spec: redactSpec(live['spec']),
  };
}

/** Returns the links with http and https URLs; browsers must not open others. */
export const linksOf = (links: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries((links ?? {}) as Readonly<Record<string, unknown>>).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string' && /^https?:\/\//.test(entry[1]),
    ),
  );

const momentOf = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : new Date(text).toISOString();
