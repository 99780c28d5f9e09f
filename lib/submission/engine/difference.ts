import { type ArtifactResource } from '../../artifact';
import { type Deployment, type Difference } from '../../contract';
import { publishedChanges } from '../check/changes';
import { Refusal } from '../refusal';
import { type KnownArtifacts } from './known-artifacts';

/** What a deployment changes against what was Ready before it. Throws a `Refusal` where it has not begun, or one of both is not kept any more. */
export async function differenceOf(artifacts: KnownArtifacts, deployment: Deployment): Promise<Difference> {
  const { project, workflow, version, digest, former, stage, startedAt } = deployment;
  if (startedAt === undefined)
    throw new Refusal(404, {
      title: 'The deployment has not begun',
      detail: 'what it changes depends on what is Ready when it begins',
    });
  const reference = (of: string): string => `${project}/${workflow}@${of}`;
  const published = async (of: string, address: string): Promise<readonly ArtifactResource[]> => {
    const { stage: found } = await artifacts.stage(address, stage).catch((error: unknown) => {
      if (!(error instanceof Refusal) || error.status === 503) throw error;
      const detail = `${reference(of)} is no longer in the artifact store, or has no stage ${stage} there`;
      throw new Refusal(404, { title: 'It is not kept any more', detail });
    });
    return found.resources;
  };
  const then = await published(version, digest);
  const before = former ? await published(former.version, former.digest) : nothing;
  return { ...(former && { former: reference(former.version) }), changes: changesBetween(before, then) };
}

type Resources = readonly ArtifactResource[];
type Changes = Difference['changes'];

const nothing: Resources = [];
/** What was compared of artifacts that are remembered, which never change: whoever looks at a deployment asks for it. */
const compared = new WeakMap<Resources, WeakMap<Resources, Changes>>();

function changesBetween(before: Resources, then: Resources): Changes {
  const found = compared.get(then) ?? new WeakMap<Resources, Changes>();
  const changes = found.get(before) ?? publishedChanges(before, then);
  compared.set(then, found.set(before, changes));
  return changes;
}
