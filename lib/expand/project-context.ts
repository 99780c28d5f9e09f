import {
  apiVersion,
  parseManifest,
  nearest,
  ProblemsError,
  type PlatformManifest,
  type PlatformKind,
  type Problem,
} from '../api';
import {
  nameConflictProblem,
  ProjectNameOwnership,
  uncontestedNames,
  type ProjectNames,
} from './platform/project-names';
import { defaultPlatform } from './platform/default-platform';
import { defaultProfile } from './profile/default-profile';
import { prepareRuntime, type Runtime } from './profile/runtime';

/** Platform, runtime profile and project of a workload: the inputs of an expansion except the workload. */
export interface ProjectContext extends ProjectNames {
  readonly platform: PlatformManifest<'Platform'>;
  readonly profile: PlatformManifest<'RuntimeProfile'>;
  readonly project: PlatformManifest<'Project'>;
  readonly runtime: Runtime;
  /** Kinds that use built-in defaults. */
  readonly assumed: readonly PlatformKind[];
  /** Existing Project with a name similar to that of an unknown one. */
  readonly similarProject?: string;
}

/** Platform and runtime profile of a cluster. */
export interface PlatformContext {
  readonly platform: PlatformManifest<'Platform'>;
  readonly profile: PlatformManifest<'RuntimeProfile'>;
  readonly runtime: Runtime;
  /** All given RuntimeProfiles, those that the Platform does not name included. */
  readonly profiles: readonly PlatformManifest<'RuntimeProfile'>[];
  /** Names of the given Projects. */
  readonly projectNames: readonly string[];
  /** Names that a Project claims and another one has. */
  readonly nameConflicts: readonly Problem[];
  /** Returns the context of a project; an unknown project has the defaults of the schema. */
  project(name: string): ProjectContext;
}

let builtIn: { platform: PlatformManifest<'Platform'>; profile: PlatformManifest<'RuntimeProfile'> } | undefined;
const builtInManifests = () =>
  (builtIn ??= { platform: parseManifest(defaultPlatform), profile: parseManifest(defaultProfile) });

/** Returns whether a profile is the one that the library contains, for a cluster without a RuntimeProfile of that name. */
export const isBuiltInProfile = (profile: PlatformManifest<'RuntimeProfile'>): boolean => profile === builtIn?.profile;

/**
 * Resolves the platform manifests of one cluster.
 *
 * Accepts at most one Platform, the RuntimeProfile that it uses, and any number of Projects; built-in defaults replace
 * missing ones. Throws a `ProblemsError` if they are inconsistent.
 */
export function resolvePlatform(documents: readonly PlatformManifest[]): PlatformContext {
  const problems: Problem[] = [];
  const manifestsOf = <K extends PlatformKind>(kind: K) =>
    documents.filter((document) => document.kind === kind) as PlatformManifest<K>[];
  const platforms = manifestsOf('Platform');
  const platform = platforms[0] ?? builtInManifests().platform;
  if (platforms.length > 1)
    problems.push({
      code: 'duplicate',
      path: ['metadata', 'name'],
      reason: 'is one of several Platforms',
      remedy: 'keep one',
      object: 'Platform cluster',
    });
  const profileName = platform.spec.runtime.profile;
  const profiles = manifestsOf('RuntimeProfile');
  const includedProfile = profiles.find((profile) => profile.metadata.name === profileName);
  const builtInProfile = builtInManifests().profile;
  const profile = includedProfile ?? builtInProfile;
  if (!includedProfile && builtInProfile.metadata.name !== profileName) {
    problems.push({
      code: 'unknown-reference',
      path: ['spec', 'runtime', 'profile'],
      value: profileName,
      reason: 'does not name a known RuntimeProfile',
      remedy: `add its manifest or use ${[...profiles, builtInProfile].map(({ metadata }) => metadata.name).join(' or ')}`,
      object: 'Platform cluster',
    });
  }
  const runtime = prepareRuntime(profile, platform, problems);
  for (const other of profiles) if (other !== includedProfile) prepareRuntime(other, platform, problems);
  if (problems.length > 0) throw new ProblemsError(problems);
  return createPlatformContext(
    platform,
    profile,
    runtime,
    { profiles, projects: manifestsOf('Project') },
    { platformAssumed: platforms.length === 0, profileAssumed: includedProfile === undefined },
  );
}

function createPlatformContext(
  platform: ProjectContext['platform'],
  profile: ProjectContext['profile'],
  runtime: Runtime,
  {
    profiles,
    projects,
  }: Pick<PlatformContext, 'profiles'> & { readonly projects: readonly ProjectContext['project'][] },
  { platformAssumed, profileAssumed }: { readonly platformAssumed: boolean; readonly profileAssumed: boolean },
): PlatformContext {
  const contexts = new Map<string, ProjectContext>();
  const ownership = new ProjectNameOwnership(
    projects.map((one) => ({ project: one.metadata.name, ...uncontestedNames(one, platform) })),
  );
  const project = (name: string): ProjectContext => {
    let context = contexts.get(name);
    if (!context) {
      const includedProject = projects.find((candidate) => candidate.metadata.name === name);
      const assumed: PlatformKind[] = [];
      if (platformAssumed) assumed.push('Platform');
      if (profileAssumed) assumed.push('RuntimeProfile');
      if (!includedProject) assumed.push('Project');
      const similarProject = includedProject
        ? undefined
        : nearest(
            name,
            projects.map(({ metadata }) => metadata.name),
          );
      const resolvedProject = includedProject ?? assumedProject(name);
      const names = includedProject ? ownership.of(name).names : uncontestedNames(resolvedProject, platform);
      context = {
        platform,
        profile,
        runtime,
        assumed,
        ...names,
        project: resolvedProject,
        ...(similarProject !== undefined && { similarProject }),
      };
      contexts.set(name, context);
    }
    return context;
  };
  const nameConflicts = projects.flatMap((one) =>
    ownership.of(one.metadata.name).conflicts.map((conflict) => ({
      ...nameConflictProblem(conflict, one, platform),
      object: `Project ${one.metadata.name}`,
    })),
  );
  const projectNames = projects.map(({ metadata }) => metadata.name);
  return { platform, profile, runtime, profiles, projectNames, nameConflicts, project };
}

const assumedProject = (name: string) =>
  parseManifest({ apiVersion, kind: 'Project', metadata: { name }, spec: { team: name } });

/** Creates a context from manifests that are assumed to be consistent. */
export function createProjectContext(
  platform: ProjectContext['platform'],
  profile: ProjectContext['profile'],
  project: ProjectContext['project'],
): ProjectContext {
  return {
    platform,
    profile,
    project,
    ...uncontestedNames(project, platform),
    runtime: prepareRuntime(profile, platform, []),
    assumed: [],
  };
}
