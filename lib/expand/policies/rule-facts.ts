import { isProtectedStage, metadataKeys } from '../../api';
import { type ProjectNames } from '../platform/project-names';
import { openTiers } from '../platform/tiers';
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

/** Annotations of a Namespace that rules read as lists, by the name of their variable. */
const listAnnotations = {
  hosts: metadataKeys.hosts,
  iamRoles: metadataKeys.iamRoles,
  tiers: metadataKeys.tiers,
} as const;

/** Returns the CEL expression of an annotation of the Namespace, which is optional. */
export const namespaceAnnotation = (key: string): string =>
  `namespaceObject.metadata.?annotations.orValue({})[?"${key}"]`;

/** Returns CEL variables for the lists in annotations of the Namespace. */
export const listVariables = (): readonly { readonly name: string; readonly expression: string }[] =>
  Object.entries(listAnnotations).map(([name, key]) => ({
    name,
    expression: `has(namespaceObject.metadata.annotations) && "${key}" in namespaceObject.metadata.annotations ? namespaceObject.metadata.annotations["${key}"].split(",") : []`,
  }));

/** Returns the values of `listVariables`. */
export function listVariableValues(context: NamespaceContext) {
  const { annotations } = namespaceFacts(context).metadata;
  return Object.fromEntries(
    Object.entries(listAnnotations).map(([name, key]) => [name, annotations[key]?.split(',') ?? []]),
  );
}

/** Parts of a context that the metadata of the Namespace depends on. */
type NamespaceContext = Pick<ProjectContext, 'project' | 'platform'> & ProjectNames;

/** Metadata of a project's Namespace that platform rules and admission policies read. */
interface NamespaceFacts {
  readonly metadata: {
    readonly name: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string>>;
  };
}

const owningStages = ({ project, platform }: Pick<ProjectContext, 'project' | 'platform'>) =>
  (project.spec.stages ?? []).filter(({ clusters = [] }) => clusters.includes(platform.spec.cluster));

/** Returns whether a project is protected on the cluster: a stage with publishers or deployers owns the cluster. */
export const isProtectedProject = (context: Pick<ProjectContext, 'project' | 'platform'>): boolean =>
  owningStages(context).some(isProtectedStage);

/** Returns the stage of the gateway in a project. */
function gatewayStage({ project, platform }: Pick<ProjectContext, 'project' | 'platform'>): string {
  const { gateway } = platform.spec;
  const isDirect = project.spec.infrastructure || gateway?.directProjects.includes(project.metadata.name) === true;
  return gateway === undefined || isDirect ? 'Off' : gateway.stage;
}

/** CEL expression of whether the project is an infrastructure project. */
export const isInfrastructureProject = `has(namespaceObject.metadata.labels) && "${metadataKeys.infrastructure}" in namespaceObject.metadata.labels && namespaceObject.metadata.labels["${metadataKeys.infrastructure}"] == "true"`;

/** Returns the `namespaceObject` of platform rules: the labels and annotations of the project's Namespace that they read. */
export function namespaceFacts({ project, platform, hosts, iamRoles }: NamespaceContext): NamespaceFacts {
  const { host, infrastructure, tiers } = project.spec;
  const { administrators, defaultTier } = platform.spec;
  const priority = platform.spec.tiers.find(({ name }) => name === defaultTier)?.priority;
  const owners = owningStages({ project, platform });
  const allowedFields = (['network', 'pid', 'ipc', 'privileged'] as const).filter((field) => host[field]);
  return {
    metadata: {
      name: project.metadata.name,
      labels: {
        ...(infrastructure && { [metadataKeys.infrastructure]: 'true' }),
        ...(isProtectedProject({ project, platform }) && { [metadataKeys.protected]: 'true' }),
        [metadataKeys.gateway]: gatewayStage({ project, platform }),
      },
      annotations: {
        ...Object.fromEntries(allowedFields.map((field) => [`${metadataKeys.host}-${field}`, 'true'])),
        ...(host.paths.length > 0 && { [hostPathKey]: host.paths.join(',') }),
        ...(owners.length > 0 && { [metadataKeys.stages]: owners.map(({ name }) => name).join(',') }),
        ...(hosts.length > 0 && { [metadataKeys.hosts]: hosts.join(',') }),
        ...(iamRoles.length > 0 && { [metadataKeys.iamRoles]: iamRoles.join(',') }),
        ...(tiers.length > 0 && { [metadataKeys.tiers]: tiers.join(',') }),
        [metadataKeys.openTiers]: openTiers(platform).join(','),
        ...(priority !== undefined && { [metadataKeys.defaultPriority]: String(priority) }),
        [metadataKeys.administrators]: administrators.join(' '),
      },
    },
  };
}
