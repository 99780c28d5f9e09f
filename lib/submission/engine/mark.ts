import { metadataKeys } from '../../api';
import { type ArtifactResource, type Authorization } from '../../artifact';
import { type Deployment } from '../../contract';
import { type LiveObject, type SentObject } from '../../kube';

/** Deployment that a workload is applied by: its labels and annotations, and what it is authorized for. */
export interface Mark {
  readonly workflow: string;
  readonly stage: string;
  /** `project/workflow@version`. */
  readonly artifact: string;
  readonly digest: string;
  readonly sequence: number;
  readonly intent: Authorization['intent'];
}

/** Returns the mark of a deployment; that of its rollback has the next sequence number. */
export const markOf = (
  { project, workflow, stage, sequence, intent, breakGlass }: Deployment,
  { version, digest }: { readonly version: string; readonly digest: string },
  isRollback = false,
): Mark => ({
  workflow,
  stage,
  artifact: `${project}/${workflow}@${version}`,
  digest,
  sequence: isRollback ? sequence + 1 : sequence,
  intent: isRollback || intent === 'rollBack' ? 'rollback' : breakGlass === undefined ? 'deploy' : 'breakGlass',
});

/** Returns a workload of an artifact as it is applied. */
export function marked(resource: ArtifactResource, mark: Mark): SentObject {
  const { labels, annotations, ...metadata } = resource.metadata as ArtifactResource['metadata'] & {
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  const own = {
    labels: { ...labels, [metadataKeys.workflow]: mark.workflow, [metadataKeys.stage]: mark.stage },
    annotations: {
      ...annotations,
      [metadataKeys.artifact]: mark.artifact,
      [metadataKeys.artifactDigest]: mark.digest,
      [metadataKeys.deploymentSequence]: `${mark.sequence}`,
    },
  };
  return { ...resource, metadata: { ...metadata, ...own } };
}

/** Returns the digest of the artifact that a live workload was deployed from. */
export const liveDigest = (live: LiveObject | undefined): string | undefined =>
  live?.metadata.annotations?.[metadataKeys.artifactDigest];

/** Returns the sequence number of the deployment of a live workload; 0 if it was not deployed by the service. */
export const liveSequence = (live: LiveObject | undefined): number =>
  Number(live?.metadata.annotations?.[metadataKeys.deploymentSequence] ?? 0);

/** Larger numbers were not written by the service: no project has that many deployments. */
const maxDeployments = 10 ** 12;

/** Returns the largest sequence number of live workloads; 0 if none was deployed by the service. */
export const largestSequence = (workloads: readonly LiveObject[]): number =>
  workloads.map(liveSequence).reduce((max, one) => (one > max && one < maxDeployments ? one : max), 0);

/** Returns whether a live workload was deployed by a workflow and stage. */
export const isDeployedBy = (
  live: LiveObject,
  { workflow, stage }: { readonly workflow: string; readonly stage: string },
): boolean =>
  live.metadata.labels?.[metadataKeys.workflow] === workflow && live.metadata.labels[metadataKeys.stage] === stage;
