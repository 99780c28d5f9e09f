import { apiVersion, manager, recommended, type ManifestInput, type PlatformManifest, type Spec } from '../../api';
import { daemonManifest, type DaemonManifest } from '../kinds/pinterest-daemon';
import { admissionPolicies } from '../policies/admission-policies';
import { accessRoles } from '../install/access-roles';
import { draftObject, inApplyOrder, type KubernetesObject } from '../objects/kubernetes-object';
import { type RuntimePart } from '../profile/runtime';
import { ownQuota, systemQuotas } from './system-quotas';
import { openTiers } from './tiers';
import { type PlatformContext } from '../project-context';

type DaemonSpec = DaemonManifest['spec'];

/** Returns the objects of a Platform: priority classes of its tiers, admission policies for its rules, and quotas of system namespaces. */
export function expandPlatform(cluster: PlatformContext): readonly KubernetesObject[] {
  const { platform } = cluster;
  const partsNamespace = nodeParts(cluster).length > 0 ? platform.spec.runtime.project : undefined;
  const objects = [
    ...platform.spec.tiers.map(priorityClass),
    ...admissionPolicies(cluster),
    ...systemQuotas(platform, partsNamespace),
  ];
  return inApplyOrder(objects.map(withPlatformLabels));
}

/** Returns the objects of a Platform for a cluster without an installation, which else creates the ClusterRoles of members. */
export const renderPlatform = (cluster: PlatformContext): readonly KubernetesObject[] =>
  inApplyOrder([...accessRoles().map(withPlatformLabels), ...expandPlatform(cluster)]);

function withPlatformLabels(object: KubernetesObject): KubernetesObject {
  const labels = { [recommended.managedBy]: manager, [recommended.partOf]: manager, ...object.metadata.labels };
  return { ...object, metadata: { ...object.metadata, labels } };
}

const priorityClass = ({ name, priority, preemption }: Spec<'Platform'>['tiers'][number]) =>
  draftObject(
    'PriorityClass',
    { name },
    {
      value: priority,
      preemptionPolicy: preemption ? 'PreemptLowerPriority' : 'Never',
      description: `Tier ${name} of the platform.`,
    },
  );

/** Returns the manifests of the node-level parts of the runtime profile: daemons, and their project. */
export function nodeSupport(cluster: PlatformContext): readonly (ManifestInput<'Project'> | DaemonManifest)[] {
  const namespace = cluster.platform.spec.runtime.project;
  const parts = nodeParts(cluster);
  if (parts.length === 0) return [];
  const daemons = parts.map(({ part }) =>
    daemonManifest(part.name, namespace, withPlatformValues(part, part.node?.daemon as unknown as DaemonSpec, cluster)),
  );
  return [systemProject(cluster.platform, daemons), ...daemons];
}

const nodeParts = ({ runtime }: PlatformContext) => runtime.parts.filter(({ part }) => part.node !== undefined);

/** Returns the daemon of a part with the Platform's image, and its values as variables. */
function withPlatformValues(part: RuntimePart, daemon: DaemonSpec, { platform, runtime }: PlatformContext): DaemonSpec {
  const values = runtime.parts.find((prepared) => prepared.part === part)?.values ?? [];
  const image = platform.spec.runtime.images[part.name];
  const containers = daemon.template.spec.containers.map((container, index) => ({
    ...container,
    ...(image !== undefined && index === 0 && { image }),
    // A value replaces the default in a variable of the same name.
    ...(values.length > 0 && {
      env: [...values, ...(container.env ?? []).filter(({ name }) => !values.some((value) => value.name === name))],
    }),
  }));
  return { ...daemon, template: { ...daemon.template, spec: { ...daemon.template.spec, containers } } };
}

/** Returns a project that allows exactly the host access, tiers and IAM roles that its daemons require. */
function systemProject(
  platform: PlatformManifest<'Platform'>,
  daemons: readonly DaemonManifest[],
): ManifestInput<'Project'> {
  const requests = (field: 'network' | 'pid' | 'ipc') => daemons.some(({ spec }) => spec.host?.[field] === true);
  const privileged = daemons.some(({ spec }) =>
    spec.template.spec.containers.some((container) => container.securityContext?.privileged === true),
  );
  const paths = [...new Set(daemons.flatMap(({ spec }) => (spec.host?.paths ?? []).map(({ path }) => path)))].sort();
  const quota = ownQuota(platform);
  const used = (field: 'tier' | 'iamRole') => [...new Set(daemons.flatMap(({ spec }) => spec[field] ?? []))].sort();
  const [tiers, iamRoles] = [used('tier').filter((tier) => !openTiers(platform).includes(tier)), used('iamRole')];
  const host = { network: requests('network'), pid: requests('pid'), ipc: requests('ipc'), privileged, paths };
  return {
    apiVersion,
    kind: 'Project',
    metadata: { name: platform.spec.runtime.project },
    spec: {
      team: 'platform',
      infrastructure: true,
      podSecurity: 'privileged',
      host,
      ...(tiers.length > 0 && { tiers }),
      ...(iamRoles.length > 0 && { iamRoles }),
      ...(isNotEmpty(quota) && { quota }),
    },
  };
}

const isNotEmpty = (map: object): boolean => Object.keys(map).length > 0;
