import { type ArtifactResource } from '../../artifact';
import { type Deployment, type DeploymentDiff } from '../../contract';
import { publishedChanges } from '../preview/changes';
import { ProblemResponse } from '../problem-response';
import { type ArtifactCache } from './artifact-cache';

/**
 * Returns what a deployment changes compared to what was Ready before it. Throws a `ProblemResponse` if it has not
 * started, or one of the artifacts is no longer available.
 */
export async function diffDeployment(artifacts: ArtifactCache, deployment: Deployment): Promise<DeploymentDiff> {
  const { project, workflow, version, digest, previous, stage, startedAt } = deployment;
  if (startedAt === undefined)
    throw new ProblemResponse(404, {
      title: 'The deployment has not started',
      detail: 'its changes depend on what is Ready when it starts',
    });
  const reference = (of: string): string => `${project}/${workflow}@${of}`;
  const published = async (of: string, address: string): Promise<readonly ArtifactResource[]> => {
    const { stage: found } = await artifacts.stage(address, stage).catch((error: unknown) => {
      if (!(error instanceof ProblemResponse) || error.status === 503) throw error;
      const detail = `${reference(of)} is no longer in the artifact store, or has no stage ${stage} there`;
      throw new ProblemResponse(404, { title: 'The artifact is no longer available', detail });
    });
    return found.resources;
  };
  const after = await published(version, digest);
  const before = previous ? await published(previous.version, previous.digest) : noResources;
  return { ...(previous && { previous: reference(previous.version) }), changes: changesBetween(before, after) };
}

type Resources = readonly ArtifactResource[];
type Changes = DeploymentDiff['changes'];

const noResources: Resources = [];
/** Cached diffs of cached artifacts, which are immutable: every view of a deployment requests its diff. */
const diffCache = new WeakMap<Resources, WeakMap<Resources, Changes>>();

function changesBetween(before: Resources, after: Resources): Changes {
  const found = diffCache.get(after) ?? new WeakMap<Resources, Changes>();
  const changes = found.get(before) ?? publishedChanges(before, after);
  diffCache.set(after, found.set(before, changes));
  return changes;
}
