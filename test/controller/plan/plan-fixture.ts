import { AppliedCache } from '../../../lib/controller/plan/applied-cache';
import { metadataKeys } from '../../../lib/api';
import { childOf } from '../../../lib/controller/observed/child-of';
import { plan } from '../../../lib/controller/plan/plan';
import { type ReconcilePlan, type PlanInput } from '../../../lib/controller/plan/plan-step';
import { type KubernetesObject } from '../../../lib/expand';
import { type LiveObject, type OwnerReference } from '../../../lib/kube';

/** Custom resource that owns the planned objects. */
export const owner: OwnerReference = {
  apiVersion: 'pinterest.com/v1',
  kind: 'PinterestService',
  name: 'web',
  uid: 'owner',
  controller: true,
};
/** Labels of the owned objects. */
export const labels = {
  'app.kubernetes.io/managed-by': 'pinion',
  [metadataKeys.kind]: 'PinterestService',
  [metadataKeys.workload]: 'web',
};

/** Returns a desired object. */
export const object = (kind: string, name: string, body: object = {}, more: object = {}): KubernetesObject =>
  ({ apiVersion: 'v1', kind, metadata: { name, namespace: 'shop', labels, ...more }, ...body }) as KubernetesObject;

let version = 0;

/** Returns an object as the server stores it. */
export const stored = (sent: KubernetesObject, metadata: object = {}, more: object = {}): LiveObject =>
  ({
    ...structuredClone(sent),
    metadata: {
      ...sent.metadata,
      uid: `uid-${sent.kind}-${sent.metadata.name}`,
      resourceVersion: `${++version}`,
      generation: 1,
      ...metadata,
    },
    ...more,
  }) as LiveObject;

/** Returns the plan for desired objects, given live ones. */
export function planned(
  desired: readonly KubernetesObject[],
  live: readonly LiveObject[],
  more: Partial<PlanInput> = {},
): ReconcilePlan {
  const children = live.map(childOf);
  const input: PlanInput = {
    ...{ owner, namespace: 'shop', desired, adopt: false, allowLoss: new Set<'Claims' | 'Progress'>() },
    observed: {
      child: (kind, name) => children.find((child) => child.kind === kind && child.name === name),
      owned: children.filter(({ controller }) => controller?.uid === owner.uid),
    },
    ...more,
  };
  const result = plan(input);
  if (input.appliedCache instanceof AppliedCache) input.appliedCache.update(input, result);
  return result;
}

/** Returns the live objects after a first plan. */
export const applied = (desired: readonly KubernetesObject[], more: Partial<PlanInput> = {}): LiveObject[] =>
  objectsIn(planned(desired, [], more)).map((sent) => stored(sent));

/** Returns the objects that a plan applies. */
export const objectsIn = ({ steps }: Pick<ReconcilePlan, 'steps'>): readonly KubernetesObject[] =>
  steps.flatMap((step) => (step.do === 'apply' ? [step.object] : []));

/** Returns the steps and blocking issues of a plan as text. */
export const describePlan = ({ steps, blockingIssues, waits }: ReconcilePlan): readonly string[] => [
  ...steps.map((step) =>
    step.do === 'apply'
      ? `${step.reason} ${step.object.kind}/${step.object.metadata.name}`
      : `${step.reason} ${step.target.kind}/${step.target.name} ${step.propagation}`,
  ),
  ...blockingIssues.map(({ reason, kind, name }) => `${reason} ${kind}/${name}`),
  ...(waits ? ['waits'] : []),
];

export const withSpec = (live: LiveObject, spec: object): LiveObject => ({
  ...live,
  spec: { ...(live['spec'] as object), ...spec },
});
export const withMetadata = (live: LiveObject, metadata: object): LiveObject => ({
  ...live,
  metadata: { ...live.metadata, ...metadata },
});
export const withStatus = (live: LiveObject, status: object): LiveObject => ({ ...live, status });

/** The Deployment of the custom resource. */
export const deployment = (body: object = {}) =>
  object('Deployment', 'web', {
    spec: {
      selector: { matchLabels: labels },
      template: { spec: { containers: [{ name: 'app', image: 'a' }] } },
      ...body,
    },
  });
/** An immutable ConfigMap. */
export const config = (name: string, data = name) => object('ConfigMap', name, { immutable: true, data: { data } });
