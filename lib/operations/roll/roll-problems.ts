import { entriesAt, type Problem, textAt } from '../../api';
import { listAllPages, type LiveObject } from '../../kube';
import { type RollPlan } from './roll-plan';
import { type MachineGroup } from './machines';
import { type ObservedCluster } from './observed-cluster';
import { type RollObserver } from './roll-observer';
import { type RollDeps } from './roll-deps';
import { skewProblems, type Versioned } from './skew-problems';
import { unitOf } from './roll-plan';

/**
 * Returns the problems of a roll before it starts: violations of the version skew policy, and templates without a Kubernetes
 * version. `kubernetesVersion` is the version of all templates.
 */
export async function rollProblems(
  deps: RollDeps,
  observer: RollObserver,
  observed: ObservedCluster,
  plan: RollPlan,
  kubernetesVersion?: string,
): Promise<readonly Problem[]> {
  const affected = observed.groups.filter((group) => plan.replacements.some(({ group: name }) => name === group.name));
  const targets = affected.map((group) => ({
    group,
    version: kubernetesVersion ?? observer.contentOf(group.template)?.kubernetes,
  }));
  const versionsOf = (part: MachineGroup['part']): Versioned[] =>
    targets.flatMap(({ group, version }) =>
      group.part === part && version !== undefined ? [{ name: group.unit, version }] : [],
    );
  const components = await listAllPages(deps.client, 'Pod', {
    namespace: 'kube-system',
    labelSelector: 'component in (kube-controller-manager,kube-scheduler)',
  });
  return [
    ...targets.filter(({ version }) => version === undefined).map(({ group }) => missingVersion(group)),
    ...skewProblems({
      apiServers: await apiServersOf(deps, observed),
      components: components.flatMap((pod) => componentOf(pod, observed)),
      kubelets: kubeletsOf(observed),
      controlPlaneTargets: versionsOf('control-plane'),
      poolTargets: versionsOf('nodes'),
    }),
  ];
}

/** API servers by control plane node; if no node is known, the one that responds. */
async function apiServersOf({ client }: RollDeps, { controlPlane }: ObservedCluster): Promise<Versioned[]> {
  if (controlPlane.length > 0)
    return controlPlane.flatMap(({ member: name, version }) => (version === undefined ? [] : [{ name, version }]));
  const version = textAt(await client.request('GET', '/version'), 'gitVersion');
  return version === undefined ? [] : [{ name: 'api', version }];
}

const missingVersion = (group: MachineGroup): Problem => ({
  code: 'required',
  path: [unitOf(group), 'template', group.template.id, 'kubernetes'],
  reason: 'the launch template has no Kubernetes version, so the version skew cannot be checked',
  remedy: 'tag its instances with pinion/kubernetes, or set --kubernetes',
});

function kubeletsOf({ nodes, groups }: ObservedCluster): Versioned[] {
  const controlPlane = new Set(
    groups.filter(({ part }) => part === 'control-plane').flatMap(({ machines }) => machines.map(({ id }) => id)),
  );
  return [...nodes].flatMap(([id, node]) => {
    const version = textAt(node, 'status', 'nodeInfo', 'kubeletVersion');
    return controlPlane.has(id) || version === undefined ? [] : [{ name: node.metadata.name, version }];
  });
}

function componentOf(pod: LiveObject, { nodes, groups }: ObservedCluster): (Versioned & { readonly node: string })[] {
  const image = entriesAt(pod, 'spec', 'containers')[0]?.['image'];
  const version = typeof image === 'string' ? /:(v?\d+\.\d+[^@]*)/.exec(image)?.[1] : undefined;
  const nodeName = textAt(pod, 'spec', 'nodeName');
  const machine = [...nodes].find(([, node]) => node.metadata.name === nodeName)?.[0];
  const group = groups.find(({ machines }) => machines.some(({ id }) => id === machine));
  return version === undefined ? [] : [{ name: pod.metadata.name, version, node: group?.unit ?? '' }];
}
