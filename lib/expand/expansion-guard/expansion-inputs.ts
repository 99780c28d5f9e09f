import { metadataKeys, deploymentKeys, type Workload } from '../../api';
import { sortedHash } from '../objects/sorted-hash';
import { writtenHash } from '../objects/written-hash';
import { otherPlatformFields, rolloutFields, withoutFields } from '../revisions/platform-fields';
import { isBuiltInProfile, type ProjectContext } from '../project-context';
import { deployedSpecHash, replicasOfSpec } from './deployed-spec-hash';

type Fields = Readonly<Record<string, unknown>>;

/** Inputs of the expansion of a workload, as hashes that do not depend on the version of the library. */
export interface ExpansionInputs {
  /** Hash of all inputs: the workload with its numbers of replicas, Platform, RuntimeProfile and Project. */
  readonly all: string;
  /** Hash of what the team deploys: the workload without its numbers of replicas. */
  readonly deployed: string;
}

/** Fields of `Project.spec` that change no pod template. */
const otherProjectFields = [
  'links',
  'onCall',
  'businessHours',
  'members',
  'exec',
  'quota',
  'apiBudget',
  'onQuotaExceeded',
  'stages',
  'labels',
] as const;

/** Returns the hashes of the inputs that a workload is expanded from. */
export function expansionInputs(workload: Workload, context: ProjectContext): ExpansionInputs {
  const { labels, annotations } = workload.metadata;
  const deployed = sortedHash([deployedSpecHash(workload), inheritedOf(labels), inheritedOf(annotations)]);
  // Some templates depend on the number of replicas.
  return { all: sortedHash([deployed, replicasOfSpec(workload), contextHash(context)]), deployed };
}

const contextHashes = new WeakMap<ProjectContext, string>();

function contextHash(context: ProjectContext): string {
  let hash = contextHashes.get(context);
  if (hash === undefined) contextHashes.set(context, (hash = sortedHash(contextInputs(context))));
  return hash;
}

function contextInputs(context: ProjectContext): readonly unknown[] {
  const { platform, profile, project, hosts, iamRoles } = context;
  const { runtime, ...platformSpec } = withoutFields(platform.spec, otherPlatformFields);
  return [
    writtenHash('Platform', { ...platformSpec, runtime: withoutFields(runtime as Fields, rolloutFields) }),
    profile.metadata.name,
    // The library changes the content of its own profile only by mistake.
    isBuiltInProfile(profile) ? '' : writtenHash('RuntimeProfile', profile.spec),
    project.metadata.name,
    writtenHash('Project', withoutFields(project.spec, otherProjectFields)),
    { hosts, iamRoles },
  ];
}

/** Returns the labels or annotations of a workload that its objects may inherit. */
const inheritedOf = (values: Readonly<Record<string, string>> = {}): Fields =>
  Object.fromEntries(
    Object.entries(values).filter(
      ([key]) =>
        key === metadataKeys.restart || !(deploymentKeys.includes(key) || key.startsWith('kubectl.kubernetes.io/')),
    ),
  );
