import { keys } from '../../api';
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
    labels: { ...labels, [keys.workflow]: mark.workflow, [keys.stage]: mark.stage },
    annotations: {
      ...annotations,
      [keys.artifact]: mark.artifact,
      [keys.artifactDigest]: mark.digest,
      [keys.deploymentSequence]: `${mark.sequence}`,
    },
  };
  return { ...resource, metadata: { ...metadata, ...own } };
}

/** The artifact that a live workload was deployed from. */
export const liveDigest = (live: LiveObject | undefined): string | undefined =>
  live?.metadata.annotations?.[keys.artifactDigest];

/** The place of the deployment that a live workload came from; 0 where it came in another way. */
export const liveSequence = (live: LiveObject | undefined): number =>
  Number(live?.metadata.annotations?.[keys.deploymentSequence] ?? 0);

/** More than anybody ever deploys: such a number was written by somebody else. */
const mostDeployments = 10 ** 12;

/** The largest number by which live workloads were deployed; 0 where none was. */
export const largestSequence = (lives: readonly LiveObject[]): number =>
  lives.map(liveSequence).reduce((most, one) => (one > most && one < mostDeployments ? one : most), 0);

/** Whether a live workload came from a workflow and stage. */
export const isOf = (
  live: LiveObject,
  { workflow, stage }: { readonly workflow: string; readonly stage: string },
): boolean => live.metadata.labels?.[keys.workflow] === workflow && live.metadata.labels[keys.stage] === stage;
