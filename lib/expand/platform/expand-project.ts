import { gatewayAuthority, metadataKeys, manager, projectRoles, recommended, type PlatformManifest } from '../../api';
import { deployerRole, execRole, memberRole } from '../install/access-roles';
import { draftObject, inApplyOrder, type ObjectDraft, type KubernetesObject } from '../objects/kubernetes-object';
import { labelOf } from '../objects/name';
import { smaller } from '../pods/resources';
import { namespaceFacts } from '../policies/rule-facts';
import { type PlatformContext } from '../project-context';
import { uncontestedNames, type ProjectNames } from './project-names';

type Project = PlatformManifest<'Project'>;

/** Name of the service account of a project that deploys its workloads. */
export const deployerName = 'deployer';

/**
 * Returns the objects of a Project in apply order: its Namespace, quotas, limits and role bindings. `names` belong to
 * it; by default they are not compared with those of other Projects.
 */
export function expandProject(
  project: Project,
  cluster: Pick<PlatformContext, 'platform'>,
  names: ProjectNames = uncontestedNames(project, cluster.platform),
): readonly KubernetesObject[] {
  const objects = [
    namespace(project, cluster, names),
    ...quota(project, cluster),
    limitRange(project, cluster),
    ...gatewayTrust(cluster),
    ...roleBindings(project),
    ...deployerObjects(project),
  ];
  return inApplyOrder(objects.map((object) => withLabels(object, project)));
}

function withLabels(object: KubernetesObject, project: Project): KubernetesObject {
  const { apiVersion, kind, metadata, ...body } = object;
  const { name, ...rest } = metadata;
  const labels = {
    [recommended.name]: labelOf(project.metadata.name),
    [recommended.partOf]: labelOf(project.metadata.name),
    [recommended.managedBy]: manager,
    [metadataKeys.team]: project.spec.team,
    ...(project.spec.costCenter !== undefined && { [metadataKeys.costCenter]: project.spec.costCenter }),
    ...metadata.labels,
  };
  const namespaceField = kind === 'Namespace' ? {} : { namespace: project.metadata.name };
  return { apiVersion, kind, metadata: { name, ...namespaceField, ...rest, labels }, ...body };
}

function namespace(
  project: Project,
  { platform }: Pick<PlatformContext, 'platform'>,
  names: ProjectNames,
): KubernetesObject {
  const { podSecurity, labels, links, onCall } = project.spec;
  const version = `v${platform.spec.kubernetesVersion}`;
  const security = Object.fromEntries(
    ['enforce', 'audit', 'warn'].flatMap((mode) => [
      [`pod-security.kubernetes.io/${mode}`, podSecurity],
      [`pod-security.kubernetes.io/${mode}-version`, version],
    ]),
  );
  const ruleFacts = namespaceFacts({ ...names, project, platform }).metadata;
  const linkAnnotations = Object.entries(links ?? {}).flatMap(([name, link]) =>
    link === undefined ? [] : [[`${metadataKeys.link}/${name}`, link]],
  );
  const annotations = {
    ...ruleFacts.annotations,
    ...(Object.fromEntries(linkAnnotations) as Record<string, string>),
    ...(onCall !== undefined && { [metadataKeys.onCall]: onCall }),
  };
  const metadata: ObjectDraft = {
    name: project.metadata.name,
    labels: { ...labels, ...security, ...ruleFacts.labels },
    ...(Object.keys(annotations).length > 0 && { annotations }),
  };
  return draftObject('Namespace', metadata, {});
}

/** Returns the quota of a project: its own, with the Platform's defaults. */
export const quotaOf = (
  project: Project,
  platform: PlatformManifest<'Platform'>,
): Readonly<Record<string, string>> => ({ ...platform.spec.defaultQuota, ...project.spec.quota });

/** Creates the quota; it never includes limits.cpu, because bursts are harmless and such a quota would require a CPU limit for every container. */
function quota(project: Project, { platform }: Pick<PlatformContext, 'platform'>): KubernetesObject[] {
  const hard = sorted(quotaOf(project, platform));
  return Object.keys(hard).length === 0 ? [] : [draftObject('ResourceQuota', { name: 'project' }, { spec: { hard } })];
}

function limitRange(project: Project, { platform }: Pick<PlatformContext, 'platform'>): KubernetesObject {
  const { requests, limits: defaultLimits } = platform.spec.resources;
  const memory = project.spec.maxContainer?.memory;
  // Kubernetes rejects a default above the maximum.
  const capped = (amount: string | number | undefined) =>
    amount === undefined || memory === undefined ? amount : smaller(amount, memory);
  const limit = {
    type: 'Container',
    default: { memory: capped(defaultLimits?.['memory']) },
    defaultRequest: { cpu: requests?.['cpu'], memory: capped(requests?.['memory']) },
    ...(memory !== undefined && { max: { memory } }),
  };
  return draftObject('LimitRange', { name: 'project' }, { spec: { limits: [limit] } });
}

/** Creates the ConfigMap from which pods know the authority of the gateway to the API server, as `kube-root-ca.crt` for the API server. */
function gatewayTrust({ platform }: Pick<PlatformContext, 'platform'>): KubernetesObject[] {
  const { gateway } = platform.spec;
  if (!gateway) return [];
  return [draftObject('ConfigMap', { name: gatewayAuthority }, { data: { 'ca.crt': gateway.certificateAuthority } })];
}

function roleBindings(project: Project): KubernetesObject[] {
  const { exec, members } = project.spec;
  const withRole = (role: string) => members.filter((member) => member.role === role);
  const bindings = [
    ...projectRoles.map((role) => ({ name: `members-${role}`, role: memberRole(role), members: withRole(role) })),
    { name: 'members-exec', role: execRole, members: exec.flatMap(withRole) },
  ];
  return bindings
    .filter((binding) => binding.members.length > 0)
    .map(({ name, role, members: bound }) =>
      draftObject('RoleBinding', { name }, { roleRef: clusterRole(role), subjects: subjectsOf(bound, project) }),
    );
}

/** Returns the subjects of members; those with several roles are listed once. */
function subjectsOf(members: Project['spec']['members'], project: Project): readonly object[] {
  const subjects = members.map(({ kind, name }) => {
    if (kind !== 'ServiceAccount') return { apiGroup: 'rbac.authorization.k8s.io', kind, name };
    return { kind, ...memberAccount(name, project.metadata.name) };
  });
  return [...new Map(subjects.map((subject) => [JSON.stringify(subject), subject])).values()];
}

/** Parses the service account of a project member: `namespace/name`, or only `name` for an account in the project. */
export function memberAccount(member: string, project: string): { readonly name: string; readonly namespace: string } {
  const [namespace = project, name = member] = member.includes('/') ? member.split('/', 2) : [project, member];
  return { name, namespace };
}

function deployerObjects(project: Project): KubernetesObject[] {
  const subjects = [{ kind: 'ServiceAccount', name: deployerName, namespace: project.metadata.name }];
  return [
    draftObject('ServiceAccount', { name: deployerName }, { automountServiceAccountToken: false }),
    draftObject('RoleBinding', { name: deployerName }, { roleRef: clusterRole(deployerRole), subjects }),
  ];
}

const clusterRole = (name: string) => ({ apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name });

const sorted = (amounts: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(amounts).sort(([a], [b]) => (a < b ? -1 : 1)));
