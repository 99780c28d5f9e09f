import { apiVersion, parseManifest, type ManifestInput, type PlatformKind, type SpecInput } from '../api';
import { defaultPlatform, defaultProfile, resolvePlatform, type ProjectContext } from '../expand';
import { testProject } from './workload-maker';
import { merged, type Overrides } from './overrides';

/** Platform manifests of a test; the rest is built in. */
export interface ProjectContextOverrides {
  readonly platform?: Overrides<SpecInput<'Platform'>>;
  readonly project?: Overrides<SpecInput<'Project'>> & {
    /** @default shop */
    readonly name?: string;
  };
  readonly profile?: Overrides<SpecInput<'RuntimeProfile'>> & {
    /** @default - the name of the built-in profile */
    readonly name?: string;
  };
}

/** Creates a context for `objectsOf`: the built-in Platform and RuntimeProfile and a plain Project, with overrides. Throws a `ProblemsError` if they are invalid. */
export function makeProjectContext(overrides: ProjectContextOverrides = {}): ProjectContext {
  const { name: projectName = testProject, ...projectSpec } = overrides.project ?? {};
  const { name: profileName = defaultProfile.metadata.name, ...profileSpec } = overrides.profile ?? {};
  const inForce = merged(defaultPlatform.spec, { runtime: { profile: profileName } });
  const documents = [
    parseManifest(document('Platform', defaultPlatform.metadata.name, merged(inForce, overrides.platform))),
    parseManifest(document('RuntimeProfile', profileName, merged(defaultProfile.spec, profileSpec))),
    parseManifest(document('Project', projectName, merged({ team: projectName }, projectSpec))),
  ];
  return resolvePlatform(documents).project(projectName);
}

const document = <K extends PlatformKind>(kind: K, name: string, spec: SpecInput<K>): ManifestInput<K> => ({
  apiVersion,
  kind,
  metadata: { name },
  spec,
});
