import { metadataKeys } from '../../api';
import { type ArtifactResource } from '../../artifact';
import { type Deployment } from '../../contract';
import { type LiveObject, type SentObject } from '../../kube';

/** What a workload is marked with that is deployed. */
export interface Mark {
  readonly workflow: string;
  readonly stage: string;
  /** `project/workflow@version`. */
  readonly artifact: string;
  readonly digest: string;
  readonly sequence: number;
}

/** The mark of a deployment; of what comes back where it fails, the number behind its own. */
export const markOf = (
  { project, workflow, stage, sequence }: Deployment,
  { version, digest }: { readonly version: string; readonly digest: string },
  back = false,
): Mark => ({
  workflow,
  stage,
  artifact: `${project}/${workflow}@${version}`,
  digest,
  sequence: back ? sequence + 1 : sequence,
});

/** A workload of an artifact as it is applied. */
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

/** The artifact that a live workload was deployed from. */
export const liveDigest = (live: LiveObject | undefined): string | undefined =>
  live?.metadata.annotations?.[metadataKeys.artifactDigest];

/** The place of the deployment that a live workload came from; 0 where it came in another way. */
export const liveSequence = (live: LiveObject | undefined): number =>
  Number(live?.metadata.annotations?.[metadataKeys.deploymentSequence] ?? 0);

/** Larger numbers were not written by the service: no project has that many deployments. */
const maxDeployments = 10 ** 12;

/** The largest number by which live workloads were deployed; 0 where none was. */
export const largestSequence = (lives: readonly LiveObject[]): number =>
  lives.map(liveSequence).reduce((most, one) => (one > most && one < maxDeployments ? one : most), 0);

/** Whether a live workload came from a workflow and stage. */
export const isOf = (
  live: LiveObject,
  { workflow, stage }: { readonly workflow: string; readonly stage: string },
): boolean =>
  live.metadata.labels?.[metadataKeys.workflow] === workflow && live.metadata.labels[metadataKeys.stage] === stage;
