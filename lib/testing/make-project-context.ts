import { apiVersion, parseManifest, type ManifestInput, type PlatformKind, type SpecInput } from '../api';
import { defaultPlatform, defaultProfile, resolvePlatform, type ProjectContext } from '../expand';
import { testProject } from './workload-maker';
import { applyOverrides, type Overrides } from './overrides';

/** Overrides of the platform manifests of a test; other values are built in. */
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

/** Creates a context for `objectsOf` from the built-in Platform and RuntimeProfile and a minimal Project, with overrides. Throws a `ProblemsError` if they are invalid. */
export function makeProjectContext(overrides: ProjectContextOverrides = {}): ProjectContext {
  const { name: projectName = testProject, ...projectSpec } = overrides.project ?? {};
  const { name: profileName = defaultProfile.metadata.name, ...profileSpec } = overrides.profile ?? {};
  const platformSpec = applyOverrides(defaultPlatform.spec, { runtime: { profile: profileName } });
  const documents = [
    parseManifest(
      manifest('Platform', defaultPlatform.metadata.name, applyOverrides(platformSpec, overrides.platform)),
    ),
    parseManifest(manifest('RuntimeProfile', profileName, applyOverrides(defaultProfile.spec, profileSpec))),
    parseManifest(manifest('Project', projectName, applyOverrides({ team: projectName }, projectSpec))),
  ];
  return resolvePlatform(documents).project(projectName);
}

const manifest = <K extends PlatformKind>(kind: K, name: string, spec: SpecInput<K>): ManifestInput<K> => ({
  apiVersion,
  kind,
  metadata: { name },
  spec,
});
