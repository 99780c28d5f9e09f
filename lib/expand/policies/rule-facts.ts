import { metadataKeys } from '../../api';
import { type ProjectContext } from '../project-context';

/** Annotation of a Namespace with the host paths that daemons of the project may mount. */
export const hostPathKey = `${metadataKeys.host}-paths`;

/** Returns the `variables` of platform rules: facts of the runtime profile, and the tiers that require requests. */
export function ruleVariables(context: Pick<ProjectContext, 'platform' | 'runtime' | 'profile'>) {
  const pods = context.profile.spec.parts.filter((part) => part.pod !== undefined);
  const { tiers } = context.platform.spec;
  return {
    parts: pods.map(({ name }) => name),
    required: pods.filter(({ injection: injectionMode }) => injectionMode === 'Required').map(({ name }) => name),
    off: [...context.runtime.unavailable.keys()],
    settings: Object.fromEntries(pods.map(({ name, settings }) => [name, Object.keys(settings)])),
    strictTiers: tiers.filter(({ requests }) => requests === 'Required').map(({ name }) => name),
  };
}

/** Returns the `namespaceObject` of platform rules: the labels and annotations of the project's Namespace that they read. */
export function namespaceFacts({ project }: Pick<ProjectContext, 'project'>) {
  const { host, infrastructure } = project.spec;
  const allowedFields = (['network', 'pid', 'ipc', 'privileged'] as const).filter((field) => host[field]);
  return {
    metadata: {
      labels: infrastructure ? { [metadataKeys.infrastructure]: 'true' } : {},
      annotations: {
        ...Object.fromEntries(allowedFields.map((field) => [`${metadataKeys.host}-${field}`, 'true'])),
        ...(host.paths.length > 0 && { [hostPathKey]: host.paths.join(',') }),
      },
    },
  };
}
