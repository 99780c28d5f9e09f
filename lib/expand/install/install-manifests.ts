import {
  crdOf,
  gatewayNamespace,
  safeParseManifest,
  isError,
  metadataKeys,
  nativeKinds,
  ownProgramProjects,
  pinionKinds,
  ProblemsError,
  recommended,
  type ManifestInput,
  type NativeKind,
  type PinionKind,
  type PlatformManifest,
  type PlatformKind,
  type Problem,
} from '../../api';
import { accessRoles } from './access-roles';
import {
  clientHistoryAccess,
  clientMonitorName,
  clientMonitorNamespace,
  clientMonitorObjects,
  gatewayEndpointAccess,
} from './client-monitor-objects';
import { controllerObjects } from './controller-deployment';
import { controllerIdentities, controllerName, type ControllerIdentity } from './controller-identities';
import { controllerRules, leaseRules } from './controller-rules';
import { defaultProfile } from '../profile/default-profile';
import { draftObject, inApplyOrder, type KubernetesObject } from '../objects/kubernetes-object';
import { gatewayName, gatewayObjects } from './gateway-objects';
import { gatewayInstallProblems } from './gateway-install-problems';
import { flowSchemas } from './flow-schemas';
import { type InstallOptions } from './install-options';
import { installedPolicies } from './installed-policies';
import { installationLabels } from './installation-labels';
import { installProblems } from './install-problems';
import { gatewayInjection } from '../policies/gateway/gateway-injection';
import { platformWritesPolicy } from '../policies/platform-writes';
import { resolvePlatform } from '../project-context';

/** Objects of an installation, or the problems that prevent it. */
export interface Installation {
  /** In the order in which they are applied, CRDs first; undefined if there are errors. */
  readonly objects?: readonly KubernetesObject[];
  readonly problems: readonly Problem[];
}

/**
 * Creates the objects of an installation: CRDs, the controller with its RBAC permissions, the ClusterRoles of members,
 * protection policies, the gateway to the API server if the Platform has one, the client monitor, and platform manifests.
 */
export function safeInstallManifests(options: InstallOptions): Installation {
  const { namespace = controllerName, singleController = false } = options;
  const identities = controllerIdentities(singleController);
  const problems = [...installProblems(options, namespace)];
  const { platform, infrastructure = [], problems: parseProblems } = safeParseManifests(options.documents ?? []);
  problems.push(...parseProblems);
  if (!parseProblems.some(isError)) problems.push(...gatewayInstallProblems(options, platform));
  if (problems.some(isError)) return { problems };
  const namespaced = inApplyOrder([
    namespaceObject(namespace),
    ...identities.flatMap((identity) => roles(namespace, identity, platform)),
    ...accessRoles(),
    ...installedPolicies(namespace, singleController),
    ...identities.flatMap((identity) => controllerObjects(namespace, identity, options)),
  ]);
  const guarded = namespaced.map((object) => withNamespace(object, namespace));
  const objects = [
    ...definitions(),
    ...guarded.filter((object) => !isPlatformGuard(object)),
    ...gateway({ ...options, namespace }, platform),
    ...clientMonitor(options, platform),
    ...(platform?.spec.gateway
      ? [...flowSchemas(namespace, platform.spec, infrastructure), ...injection(platform.spec)]
      : []),
    ...documentsOf(options),
    // Last, so that an upgrade can set spec.administrators before the API server enforces it.
    ...guarded.filter(isPlatformGuard),
  ];
  return { objects, problems };
}

/** Returns the objects of an installation. Throws a `ProblemsError` if there are errors. */
export function installManifests(options: InstallOptions): readonly KubernetesObject[] {
  const { objects, problems } = safeInstallManifests(options);
  if (!objects) throw new ProblemsError(problems);
  return objects;
}

const isPlatformGuard = ({ kind, metadata }: KubernetesObject): boolean =>
  kind === 'ValidatingAdmissionPolicyBinding' && metadata.name === platformWritesPolicy;

const keepLabel = { [metadataKeys.uninstall]: 'keep' };

const definitions = (): KubernetesObject[] =>
  (Object.keys(pinionKinds) as PinionKind[]).map((kind) => {
    const definition = crdOf(kind);
    return { ...definition, metadata: { ...definition.metadata, labels: { ...installationLabels, ...keepLabel } } };
  });

/** Returns the objects of the gateway, if the Platform has one and its image is given. */
function gateway(
  { gatewayImage: image, namespace, ...options }: InstallOptions & { readonly namespace: string },
  platform: PlatformManifest<'Platform'> | undefined,
): KubernetesObject[] {
  const settings = platform?.spec.gateway;
  if (!settings || image === undefined) return [];
  const platformNamespaces = [namespace, gatewayNamespace, ...ownProgramProjects];
  const deployment = { ...options, image, settings, platformNamespaces };
  const objects = [namespaceObject(gatewayNamespace), ...gatewayObjects(deployment)];
  return inApplyOrder(objects).map((object) => withNamespace(object, gatewayNamespace, gatewayName));
}

/** Returns the objects of the client monitor, if its image is given. */
function clientMonitor(
  { clientMonitorImage: image, clientHistoryNamespace: historyNamespace, imagePullSecrets }: InstallOptions,
  platform: PlatformManifest<'Platform'> | undefined,
): KubernetesObject[] {
  if (image === undefined) return [];
  const hasGateway = platform?.spec.gateway !== undefined;
  const objects = clientMonitorObjects({
    image,
    hasGateway,
    ...(historyNamespace !== undefined && { historyNamespace }),
    ...(imagePullSecrets && { imagePullSecrets }),
  });
  const placed = (namespace: string) => (object: KubernetesObject) =>
    withNamespace(object, namespace, clientMonitorName);
  return [
    ...(historyNamespace === undefined ? [] : clientHistoryAccess().map(placed(historyNamespace))),
    ...(historyNamespace !== undefined && hasGateway ? gatewayEndpointAccess().map(placed(gatewayNamespace)) : []),
    ...inApplyOrder(objects).map(placed(clientMonitorNamespace)),
  ];
}

/** Returns the policy that leads native pods to the gateway; in 1.35, an API server serves it only if a flag says so. */
const injection = (spec: PlatformManifest<'Platform'>['spec']): KubernetesObject[] =>
  spec.kubernetesVersion === '1.35' && spec.gateway?.stage === 'Off' ? [] : gatewayInjection(spec);

/** Returns the platform manifests, with the built-in profile if the Platform uses it. */
function documentsOf({ documents = [] }: InstallOptions): KubernetesObject[] {
  const platform = documents.find((document): document is ManifestInput<'Platform'> => document.kind === 'Platform');
  const profileName = platform && (platform.spec.runtime?.profile ?? defaultProfile.metadata.name);
  const isIncluded = documents.some(({ kind, metadata }) => kind === 'RuntimeProfile' && metadata.name === profileName);
  const all = [...documents, ...(profileName === defaultProfile.metadata.name && !isIncluded ? [defaultProfile] : [])];
  const order = ['RuntimeProfile', 'Platform', 'Project'];
  return all
    .sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))
    .map(({ metadata, ...rest }) => ({
      ...rest,
      metadata: { ...metadata, labels: { ...metadata.labels, ...keepLabel } },
    }));
}

function safeParseManifests(documents: readonly ManifestInput<PlatformKind>[]) {
  const problems: Problem[] = [];
  const manifests = documents.flatMap((document) => {
    const parsed = safeParseManifest(document);
    const object = `${document.kind} ${document.metadata.name}`;
    problems.push(...parsed.problems.map((problem) => ({ object, ...problem })));
    return parsed.manifest ? [parsed.manifest as PlatformManifest] : [];
  });
  if (problems.some(isError)) return { problems };
  try {
    const { platform } = resolvePlatform(manifests);
    const infrastructure = manifests.flatMap((manifest) =>
      manifest.kind === 'Project' && manifest.spec.infrastructure ? [manifest.metadata.name] : [],
    );
    return {
      problems,
      infrastructure,
      platform: manifests.some(({ kind }) => kind === 'Platform') ? platform : undefined,
    };
  } catch (error) {
    if (!(error instanceof ProblemsError)) throw error;
    return { problems: [...problems, ...error.problems] };
  }
}

const namespaceObject = (name: string): KubernetesObject =>
  draftObject(
    'Namespace',
    {
      name,
      labels: Object.fromEntries(
        ['enforce', 'audit', 'warn'].map((mode) => [`pod-security.kubernetes.io/${mode}`, 'restricted']),
      ),
    },
    {},
  );

function roles(
  namespace: string,
  { name, scopes }: ControllerIdentity,
  platform: PlatformManifest<'Platform'> | undefined,
): KubernetesObject[] {
  const subjects = [{ kind: 'ServiceAccount', name, namespace }];
  const roleRef = (kind: NativeKind) => ({ apiGroup: 'rbac.authorization.k8s.io', kind, name });
  return [
    draftObject('ClusterRole', { name }, { rules: controllerRules(scopes, platform) }),
    draftObject('ClusterRoleBinding', { name }, { roleRef: roleRef('ClusterRole'), subjects }),
    draftObject('Role', { name }, { rules: leaseRules(name) }),
    draftObject('RoleBinding', { name }, { roleRef: roleRef('Role'), subjects }),
  ];
}

function withNamespace(object: KubernetesObject, namespace: string, program = controllerName): KubernetesObject {
  const { apiVersion, kind, metadata, ...body } = object;
  const { name, ...rest } = metadata;
  const namespaceField = nativeKinds[kind as NativeKind].namespaced ? { namespace } : {};
  const allLabels = { ...installationLabels, [recommended.name]: program, ...metadata.labels };
  return { apiVersion, kind, metadata: { name, ...namespaceField, ...rest, labels: allLabels }, ...body };
}
