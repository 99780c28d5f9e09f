import { apiVersion, manager, recommended, type Input, type Spec } from '../api';
import { accessRoles } from './access-roles';
import { admissionPolicies } from './admission-policy';
import { draft, inApplyOrder, type KubernetesObject } from './kubernetes-object';
import { type Part } from './runtime';
import { type Cluster } from './world';

type DaemonSpec = Input<'PinterestDaemon'>['spec'];

/** What a Platform becomes: priority classes of its tiers, roles over our kinds, and the policies that hold its rules. */
export function expandPlatform(cluster: Cluster): readonly KubernetesObject[] {
  const labels = { [recommended.managedBy]: manager, [recommended.partOf]: manager };
  const objects = [...cluster.platform.spec.tiers.map(priorityClass), ...accessRoles(), ...admissionPolicies(cluster)];
  return inApplyOrder(
    objects.map((object) => ({
      ...object,
      metadata: { ...object.metadata, labels: { ...labels, ...object.metadata.labels } },
    })),
  );
}

const priorityClass = ({ name, priority, preemption }: Spec<'Platform'>['tiers'][number]) =>
  draft(
    'PriorityClass',
    { name },
    {
      value: priority,
      preemptionPolicy: preemption ? 'PreemptLowerPriority' : 'Never',
      description: `Tier ${name} of the platform.`,
    },
  );

/** The node-level parts of the runtime profile, as the daemons that they are, and the project that they live in. */
export function nodeSupport(cluster: Cluster): readonly (Input<'Project'> | Input<'PinterestDaemon'>)[] {
  const namespace = cluster.platform.spec.runtime.project;
  const parts = cluster.runtime.parts.filter(({ part }) => part.node !== undefined);
  if (parts.length === 0) return [];
  const daemons = parts.map(({ part }): Input<'PinterestDaemon'> => ({
    apiVersion,
    kind: 'PinterestDaemon',
    metadata: { name: part.name, namespace },
    spec: withFacts(part, part.node?.daemon as unknown as DaemonSpec, cluster),
  }));
  return [systemProject(namespace, daemons), ...daemons];
}

/** The daemon of a part with the values of the Platform as variables, and the image that the Platform names. */
function withFacts(part: Part, daemon: DaemonSpec, { platform, runtime }: Cluster): DaemonSpec {
  const values = runtime.parts.find((prepared) => prepared.part === part)?.values ?? [];
  const image = platform.spec.runtime.images[part.name];
  const containers = daemon.template.spec.containers.map((container, index) => ({
    ...container,
    ...(image !== undefined && index === 0 && { image }),
    ...(values.length > 0 && { env: [...values, ...(container.env ?? [])] }),
  }));
  return { ...daemon, template: { ...daemon.template, spec: { ...daemon.template.spec, containers } } };
}

/** A project that allows its daemons what they ask for, and no more. */
function systemProject(name: string, daemons: readonly Input<'PinterestDaemon'>[]): Input<'Project'> {
  const asks = (what: 'network' | 'pid' | 'ipc') => daemons.some(({ spec }) => spec.host?.[what] === true);
  const privileged = daemons.some(({ spec }) =>
    spec.template.spec.containers.some((container) => container.securityContext?.privileged === true),
  );
  const paths = [...new Set(daemons.flatMap(({ spec }) => (spec.host?.paths ?? []).map(({ path }) => path)))].sort();
  const host = { network: asks('network'), pid: asks('pid'), ipc: asks('ipc'), privileged, paths };
  return {
    apiVersion,
    kind: 'Project',
    metadata: { name },
    spec: { team: 'platform', infrastructure: true, podSecurity: 'privileged', host },
  };
}
