import {
  deploymentKeys,
  safeParseManifest,
  isWorkloadKind,
  metadataKeys,
  type Metadata,
  type WorkloadKind,
} from '../../api';
import { type ArtifactResource } from '../../artifact';
import { type DeploymentDiff, type TargetPreview } from '../../contract';
import { fieldDifferences, podChanges, distinctCauses, type FieldDifference } from '../../expand';
import { type LiveObject } from '../../kube';
import { pendingHooks } from './pending-hooks';
import { type ExpandedWorkload, type TargetSnapshot } from './target-snapshot';

/** Change of one workload. */
type WorkloadChange = TargetPreview['changes'][number];

/** Names a workload within its project, as `Kind/name`. */
export const workloadReference = ({
  kind,
  metadata,
}: {
  readonly kind: string;
  readonly metadata: { readonly name: string };
}): string => `${kind}/${metadata.name}`;

/** Resources to deploy, and the existing workloads. */
interface PlannedChange {
  readonly target: TargetSnapshot;
  readonly workflow: string;
  readonly stage: string;
  readonly resources: readonly ArtifactResource[];
  /** Live workloads of the project. */
  readonly live: readonly LiveObject[];
}

/**
 * Returns the changes of the workloads of an artifact, and of those that the same stage of its workflow deployed before
 * and no longer has.
 */
export function changesOf(planned: PlannedChange): WorkloadChange[] {
  const { resources, live, target } = planned;
  const before = new Map(live.map((one) => [workloadReference(one), one]));
  return [
    ...resources.map((resource) => changeOf(resource, before.get(workloadReference(resource)), target)),
    ...removedBy(planned).map((removed): WorkloadChange => ({
      ...keyOf(removed),
      change: 'removed',
      restarts: false,
      fields: [],
    })),
  ];
}

/** Returns the changes of workloads between two artifacts, by their contents only. */
export function publishedChanges(
  before: readonly ArtifactResource[],
  after: readonly ArtifactResource[],
): DeploymentDiff['changes'] {
  const earlier = new Map(before.map((one) => [workloadReference(one), one]));
  const kept = new Set(after.map(workloadReference));
  return [
    ...after.map((resource): DeploymentDiff['changes'][number] => {
      const previous = earlier.get(workloadReference(resource));
      if (!previous) return { ...keyOf(resource), change: 'created', fields: [] };
      const fields = [
        ...metadataDifferences(previous.metadata, resource.metadata),
        ...fieldDifferences(...specsOf(previous, resource), ['spec']),
      ];
      return { ...keyOf(resource), change: fields.length === 0 ? 'unchanged' : 'changed', fields };
    }),
    ...before
      .filter((one) => !kept.has(workloadReference(one)))
      .map((removed) => ({ ...keyOf(removed), change: 'removed' as const, fields: [] })),
  ];
}

/** Returns two specs with their defaults; unparsed if current rules reject one of them. */
function specsOf(previous: ArtifactResource, after: ArtifactResource): [unknown, unknown] {
  const [one, other] = [safeParseManifest(previous).manifest, safeParseManifest(after).manifest];
  return one && other ? [one.spec, other.spec] : [previous['spec'], after['spec']];
}

/**
 * Returns the live workloads that an earlier artifact of the same workflow deployed to the same stage, and that this
 * one no longer has.
 */
export function removedBy({ workflow, stage, resources, live }: Omit<PlannedChange, 'target'>): LiveObject[] {
  const kept = new Set(resources.map(workloadReference));
  return live.filter(
    (one) =>
      isWorkloadKind(one.kind) &&
      one.metadata.labels?.[metadataKeys.workflow] === workflow &&
      one.metadata.labels[metadataKeys.stage] === stage &&
      !kept.has(workloadReference(one)),
  );
}

function changeOf(resource: ArtifactResource, live: LiveObject | undefined, target: TargetSnapshot): WorkloadChange {
  const key = keyOf(resource);
  const { known: after } = target.expandResource(resource, live);
  if (!live) return { ...key, change: 'created', restarts: false, ...pendingHooks(after?.workload), fields: [] };
  const earlier = target.expandLive(live);
  const fields = [
    ...metadataDifferences(live.metadata, resource.metadata),
    ...fieldDifferences(earlier?.workload.spec ?? live['spec'], after?.workload.spec ?? resource['spec'], ['spec']),
  ];
  const kind = fields.length === 0 ? 'unchanged' : 'changed';
  if (!after || fields.length === 0) return { ...key, change: kind, restarts: false, fields };
  return {
    ...key,
    change: kind,
    ...restartsOf(live, after, fields, target),
    ...pendingHooks(after.workload, live),
    fields,
  };
}

const keyOf = ({ kind, metadata }: Pick<LiveObject, 'kind'> & { readonly metadata: { readonly name: string } }) => ({
  kind: kind as WorkloadKind,
  name: metadata.name,
});

function metadataDifferences(from: Metadata, to: Metadata): FieldDifference[] {
  return (['labels', 'annotations'] as const).flatMap((field) =>
    fieldDifferences(withoutDeploymentKeys(from[field]), withoutDeploymentKeys(to[field]), ['metadata', field]),
  );
}

/** Returns labels or annotations without those that deployments and kubectl set; undefined if there are no others. */
function withoutDeploymentKeys(values: Readonly<Record<string, string>> | undefined): object | undefined {
  const own = Object.entries(values ?? {}).filter(
    ([key]) => !deploymentKeys.includes(key) && !key.startsWith('kubectl.kubernetes.io/'),
  );
  return own.length === 0 ? undefined : Object.fromEntries(own);
}

/**
 * Returns whether a change replaces pods, and because of which fields, from the revision or the profile that the workload has to that
 * which the controller selects after the deployment.
 */
function restartsOf(
  live: LiveObject,
  after: ExpandedWorkload,
  fields: readonly FieldDifference[],
  target: TargetSnapshot,
): Pick<WorkloadChange, 'restarts' | 'restartedVariants' | 'causes'> {
  const before = target.expandLive(live);
  const context = target.contextOf(live);
  const objects = before && target.objectsIn(before, context);
  if (!objects) return { restarts: true };
  const isScaled = fields.every(({ path }) => /^spec\.(variants\[[^\]]+\]\.)?replicas$/.test(path));
  const next = target.contextAfter(after.workload, live, { isScaled });
  const found = podChanges(
    { objects, source: { workload: before.workload, context } },
    {
      objects: target.objectsIn(after, next) ?? after.objects,
      source: { workload: after.workload, context: next },
    },
  );
  const restarting = found.filter(({ restarts }) => restarts);
  if (restarting.length === 0) return { restarts: false };
  const restartedVariants = restarting.flatMap(({ variant = [] }) => variant);
  return {
    restarts: true,
    ...(restartedVariants.length > 0 && { restartedVariants }),
    causes: distinctCauses(restarting).map(({ object, path }) => ({ object, ...(path !== undefined && { path }) })),
  };
}
