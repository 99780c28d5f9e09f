import { entriesAt, type Problem, textAt } from '../../api';
import { allPages, type LiveObject } from '../../kube';
import { type RollPlan } from './steps';
import { type MachineGroup } from './machines';
import { type RollObserved } from './observed';
import { type RollObserver } from './roll-observer';
import { type RollWorld } from './roll-world';
import { skewProblems, type Versioned } from './skew';
import { unitOf } from './steps';

/**
 * All that speaks against a roll before anything is touched: Kubernetes' rules about versions, and templates that do not
 * say which version they bring. `given` says it for all of them.
 */
export async function rollProblems(
  world: RollWorld,
  observer: RollObserver,
  observed: RollObserved,
  plan: RollPlan,
  given?: string,
): Promise<readonly Problem[]> {
  const concerned = observed.groups.filter((group) => plan.replacements.some(({ group: name }) => name === group.name));
  const targets = concerned.map((group) => ({
    group,
    version: given ?? observer.contentOf(group.template)?.kubernetes,
  }));
  const known = (part: MachineGroup['part']): Versioned[] =>
    targets.flatMap(({ group, version }) =>
      group.part === part && version !== undefined ? [{ name: group.unit, version }] : [],
    );
  const components = await allPages(world.client, 'Pod', {
    namespace: 'kube-system',
    labelSelector: 'component in (kube-controller-manager,kube-scheduler)',
  });
  return [
    ...targets.filter(({ version }) => version === undefined).map(({ group }) => unsaid(group)),
    ...skewProblems({
      apiServers: await apiServersOf(world, observed),
      components: components.flatMap((pod) => componentOf(pod, observed)),
      kubelets: kubeletsOf(observed),
      masterTargets: known('master'),
      poolTargets: known('nodes'),
    }),
  ];
}

/** API servers by their master; where no master is known, whichever answers. */
async function apiServersOf({ client }: RollWorld, { masters }: RollObserved): Promise<Versioned[]> {
  if (masters.length > 0)
    return masters.flatMap(({ member: name, version }) => (version === undefined ? [] : [{ name, version }]));
  const version = textAt(await client.request('GET', '/version'), 'gitVersion');
  return version === undefined ? [] : [{ name: 'api', version }];
}

const unsaid = (group: MachineGroup): Problem => ({
  code: 'required',
  path: [unitOf(group), 'template', group.template.id, 'kubernetes'],
  reason: 'the template does not say which version of Kubernetes its image holds, so nobody knows whether it fits',
  remedy: 'tag its instances with pinion/kubernetes, or say it with --kubernetes',
});

function kubeletsOf({ nodes, groups }: RollObserved): Versioned[] {
  const masters = new Set(
    groups.filter(({ part }) => part === 'master').flatMap(({ machines }) => machines.map(({ id }) => id)),
  );
  return [...nodes].flatMap(([id, node]) => {
    const version = textAt(node, 'status', 'nodeInfo', 'kubeletVersion');
    return masters.has(id) || version === undefined ? [] : [{ name: node.metadata.name, version }];
  });
}

function componentOf(pod: LiveObject, { nodes, groups }: RollObserved): (Versioned & { readonly master: string })[] {
  const image = entriesAt(pod, 'spec', 'containers')[0]?.['image'];
  const version = typeof image === 'string' ? /:(v?\d+\.\d+[^@]*)/.exec(image)?.[1] : undefined;
  const place = textAt(pod, 'spec', 'nodeName');
  const machine = [...nodes].find(([, node]) => node.metadata.name === place)?.[0];
  const group = groups.find(({ machines }) => machines.some(({ id }) => id === machine));
  return version === undefined ? [] : [{ name: pod.metadata.name, version, master: group?.unit ?? '' }];
}
