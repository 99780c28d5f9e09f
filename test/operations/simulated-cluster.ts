import { metadataKeys } from '../../lib/api';
import { type LiveObject } from '../../lib/kube';
import {
  type MachineGroup,
  type Machines,
  type ControlPlaneHealth,
  type ObservedCluster,
  type RollStep,
  type TemplateVersion,
} from '../../lib/operations';

interface SimulatedMachine {
  readonly id: string;
  readonly group: string;
  readonly launchedAt: number;
  readonly version: string;
  state: 'pending' | 'in-service' | 'terminating';
  drainingSince?: number;
  /** Whether its node, or its control plane node, is healthy. */
  healthy: boolean;
  node?: { cordoned: boolean; drainingSince?: string };
}

interface SimulatedGroup {
  readonly name: string;
  readonly part: 'control-plane' | 'nodes';
  readonly unit: string;
  size: number;
  readonly min: number;
  readonly max: number;
  version: string;
  desiredCapacity?: number;
}

interface SimulatedPod {
  readonly name: string;
  readonly kind: 'service' | 'job' | 'daemon' | 'bare' | 'protected';
  /** Pods of one service share a disruption budget: one of them may be unavailable. */
  readonly service?: string;
  machine: string;
  ready: boolean;
  terminating: boolean;
}

/** Initial state of a simulation. */
export interface SimulationShape {
  readonly controlPlaneNodes: number;
  readonly pools: readonly {
    readonly size: number;
    readonly max: number;
    readonly services: number;
    readonly jobs: number;
  }[];
}

const minute = 60_000;

/**
 * Simulation of the cloud and cluster that a roll observes, driven by random numbers: machines start and stop, pods start,
 * Jobs finish. A fake, because with AWS or a real cluster the process cannot crash between any two calls. AWS calls are
 * tested with moto, and evictions with a real API server.
 */
export class SimulatedCluster implements Machines {
  now = Date.parse('2026-11-21T10:00:00Z');
  readonly groupList: SimulatedGroup[] = [];
  readonly machines = new Map<string, SimulatedMachine>();
  readonly pods = new Map<string, SimulatedPod>();
  readonly evicted: SimulatedPod[] = [];
  /** Machines that were terminated with pods still on them. */
  readonly lost: string[] = [];
  readonly unhealthySince = new Map<string, number>();
  readonly belowSizeSince = new Map<string, number>();
  readonly alarms: string[] = [];
  private count = 0;

  constructor(
    shape: SimulationShape,
    private readonly random: () => number,
  ) {
    for (let index = 0; index < shape.controlPlaneNodes; index++)
      this.addGroup('control-plane', 'abcde'[index] ?? '', 1, 1);
    shape.pools.forEach(({ size, max, services, jobs }, index) => {
      const group = this.addGroup('nodes', `pool-${index}`, size, max);
      const groupMachines = [...this.machines.values()].filter((machine) => machine.group === group.name);
      for (const { id } of groupMachines) this.addPod({ kind: 'daemon', machine: id });
      for (let service = 0; service < services; service++)
        for (let replica = 0; replica < 3; replica++)
          this.addPod({
            kind: 'service',
            service: `${index}-${service}`,
            machine: groupMachines[(service + replica) % Math.max(1, groupMachines.length)]?.id ?? '',
          });
      for (let job = 0; job < jobs; job++)
        this.addPod({ kind: 'job', machine: groupMachines[job % Math.max(1, groupMachines.length)]?.id ?? '' });
    });
  }

  private addGroup(part: 'control-plane' | 'nodes', unit: string, size: number, max: number): SimulatedGroup {
    const group = { name: `prod-${part}-${unit}`, part, unit, size, min: 0, max, version: '1' };
    this.groupList.push(group);
    for (let index = 0; index < size; index++) {
      const machine = this.launch(group);
      machine.state = 'in-service';
      machine.healthy = true;
      machine.node = { cordoned: false };
    }
    return group;
  }

  private launch(group: SimulatedGroup): SimulatedMachine {
    const id = `i-${String((this.count += 1)).padStart(4, '0')}`;
    const { name, version } = group;
    const machine: SimulatedMachine = {
      id,
      group: name,
      launchedAt: this.now,
      version,
      state: 'pending',
      healthy: false,
    };
    this.machines.set(id, machine);
    return machine;
  }

  addPod(pod: Pick<SimulatedPod, 'kind' | 'machine'> & { readonly service?: string }): SimulatedPod {
    const added = { ...pod, name: `${pod.kind}-${(this.count += 1)}`, ready: true, terminating: false };
    this.pods.set(added.name, added);
    return added;
  }

  /** Updates the template of every group. */
  change(version: string): void {
    for (const group of this.groupList) group.version = version;
  }

  /** Advances the clock and causes random events. */
  evolve(): void {
    this.now += 10_000;
    for (const machine of [...this.machines.values()]) this.evolveMachine(machine);
    for (const group of this.groupList) {
      const groupMachines = this.machinesOf(group).filter(({ state }) => state !== 'terminating');
      // A replacement of a control plane node waits until its volumes are free.
      const isBlocked = group.part === 'control-plane' && this.machinesOf(group).length > 0;
      if (groupMachines.length < group.size && !isBlocked && this.random() < 0.7) this.launch(group);
      if (groupMachines.length < group.size)
        this.belowSizeSince.set(group.name, this.belowSizeSince.get(group.name) ?? this.now);
      else this.belowSizeSince.delete(group.name);
    }
    for (const pod of [...this.pods.values()]) this.evolvePod(pod);
    for (const { member, unhealthyReason } of this.health())
      if (unhealthyReason === undefined) this.unhealthySince.delete(member);
      else this.unhealthySince.set(member, this.unhealthySince.get(member) ?? this.now);
  }

  private evolveMachine(machine: SimulatedMachine): void {
    if (machine.state === 'terminating' && this.random() < 0.5) this.machines.delete(machine.id);
    if (machine.state === 'pending' && this.random() < 0.5) {
      machine.state = 'in-service';
      machine.node = { cordoned: false };
    } else if (machine.state === 'in-service' && !machine.healthy && this.random() < 0.5) machine.healthy = true;
  }

  private evolvePod(pod: SimulatedPod): void {
    if (pod.terminating && this.random() < 0.6) {
      this.pods.delete(pod.name);
      if (pod.service === undefined) return;
      const schedulable = [...this.machines.values()].filter((one) => one.healthy && one.node && !one.node.cordoned);
      const next = schedulable[Math.floor(this.random() * schedulable.length)];
      this.addPod({ kind: 'service', service: pod.service, machine: next?.id ?? '' }).ready = false;
    } else if (pod.kind === 'job' && this.random() < 0.1) this.pods.delete(pod.name);
    else if (!pod.ready && this.random() < 0.5) {
      pod.ready = true;
      if (pod.machine === '' || !this.machines.has(pod.machine))
        pod.machine = [...this.machines.values()].find(({ node }) => node && !node.cordoned)?.id ?? '';
    }
  }

  private machinesOf = (group: SimulatedGroup): SimulatedMachine[] =>
    [...this.machines.values()].filter((machine) => machine.group === group.name);

  /** Health of control plane nodes, as a roll observes it. */
  health(): (ControlPlaneHealth & { readonly member: string })[] {
    return this.groupList
      .filter(({ part }) => part === 'control-plane')
      .map((group, index) => {
        const healthy = this.machinesOf(group).some((machine) => machine.healthy && machine.state === 'in-service');
        const since = this.unhealthySince.get(group.unit);
        return {
          member: group.unit,
          ...(!healthy && { unhealthyReason: 'no response' }),
          databases: [
            {
              database: 'main',
              alarms: index === 0 ? this.alarms : [],
              learner: false,
              leader: index === 0,
              committed: 9,
              applied: 9,
            },
          ],
          ...(since !== undefined && { unhealthySince: since }),
        };
      });
  }

  groups(): Promise<readonly MachineGroup[]> {
    return Promise.resolve(this.listGroups());
  }

  listGroups(): MachineGroup[] {
    return this.groupList.map((group) => ({
      name: group.name,
      part: group.part,
      unit: group.unit,
      size: group.size,
      min: group.min,
      max: group.max,
      template: { id: group.name, version: group.version },
      ...(group.desiredCapacity !== undefined && { desiredCapacity: group.desiredCapacity }),
      machines: this.machinesOf(group).map(({ id, state, launchedAt, version, drainingSince }) => ({
        id,
        zone: 'a',
        state,
        launchedAt,
        template: { id: group.name, version },
        ...(drainingSince !== undefined && { drainingSince }),
      })),
    }));
  }

  controlPlaneNodes = () =>
    Promise.resolve(this.health().map(({ member }) => ({ member, address: '10.0.0.1', databases: ['main'] })));

  template = ({ version }: TemplateVersion) => Promise.resolve({ fields: { image: `ami-${version}` } });

  lastFailure = () => Promise.resolve(undefined);

  markDraining(id: string, since: number | undefined): Promise<void> {
    const machine = this.machines.get(id);
    if (machine && since === undefined) delete machine.drainingSince;
    else if (machine && since !== undefined) machine.drainingSince = since;
    return Promise.resolve();
  }

  saveDesiredCapacity(name: string, desiredCapacity: number | undefined): Promise<void> {
    const group = this.group(name);
    if (desiredCapacity === undefined) delete group.desiredCapacity;
    else group.desiredCapacity = desiredCapacity;
    return Promise.resolve();
  }

  resize(name: string, size: number): Promise<void> {
    const group = this.group(name);
    if (size < group.min || size > group.max) throw new Error(`${name} cannot have ${size} machines`);
    group.size = size;
    return Promise.resolve();
  }

  terminate(id: string, shrink: boolean): Promise<void> {
    const machine = this.machines.get(id);
    if (!machine || machine.state === 'terminating') return Promise.resolve();
    const remaining = [...this.pods.values()].filter((pod) => pod.machine === id);
    if (remaining.some(({ kind }) => kind !== 'daemon')) this.lost.push(id);
    for (const { name } of remaining) this.pods.delete(name);
    machine.state = 'terminating';
    machine.healthy = false;
    delete machine.node;
    if (shrink) this.group(machine.group).size -= 1;
    return Promise.resolve();
  }

  private group(name: string): SimulatedGroup {
    const found = this.groupList.find((group) => group.name === name);
    if (!found) throw new Error(`no group ${name}`);
    return found;
  }

  /** Executes one step as AWS and the API server would. */
  async execute(step: RollStep): Promise<void> {
    const node = 'machine' in step ? this.machines.get(step.machine)?.node : undefined;
    if (step.do === 'save-desired-capacity') await this.saveDesiredCapacity(step.group, step.desiredCapacity);
    else if (step.do === 'clear-desired-capacity') await this.saveDesiredCapacity(step.group, undefined);
    else if (step.do === 'mark-draining') await this.markDraining(step.machine, this.now);
    else if (step.do === 'resize') await this.resize(step.group, step.size);
    else if (step.do === 'terminate') await this.terminate(step.machine, step.shrink);
    else if (step.do === 'evict') for (const pod of step.pods) this.evict(pod.metadata.name);
    else if (node) {
      node.cordoned = true;
      node.drainingSince = new Date(this.now).toISOString();
    }
  }

  /** Responds like the eviction API: one pod of a service may be unavailable. */
  private evict(name: string): void {
    const pod = this.pods.get(name);
    if (!pod || pod.terminating) return;
    const others = [...this.pods.values()].filter((other) => other.service === pod.service && other !== pod);
    if (pod.service !== undefined && others.some(({ ready, terminating }) => !ready || terminating)) return;
    pod.terminating = true;
    pod.ready = false;
    this.evicted.push(pod);
  }

  /** All inputs of a roll plan. */
  observe(): ObservedCluster {
    const groups = this.listGroups();
    const targets = new Map(groups.map(({ name, template }) => [name, template.version]));
    const all = [...this.machines.values()];
    const withNode = all.filter(({ node }) => node !== undefined);
    return {
      now: this.now,
      groups,
      controlPlane: this.health(),
      outdated: new Map(
        all.filter(({ group, version }) => version !== targets.get(group)).map(({ id }) => [id, ['image']]),
      ),
      nodes: new Map(withNode.map((machine) => [machine.id, nodeObject(machine)])),
      pods: new Map(
        withNode.map(({ id }) => [
          `node-${id}`,
          [...this.pods.values()].filter(({ machine }) => machine === id).map(podObject),
        ]),
      ),
      belowSizeSince: this.belowSizeSince,
      failures: new Map(),
    };
  }

  /** Control plane nodes that are unhealthy now. */
  unhealthyNodes(): number {
    return this.health().filter(({ unhealthyReason }) => unhealthyReason !== undefined).length;
  }

  /** Makes a machine of a group permanently unhealthy. */
  makeUnhealthy(group: string): void {
    const machine = [...this.machines.values()].find((one) => one.group === group);
    if (machine) machine.healthy = false;
  }

  /** Advances the clock by minutes. */
  wait(minutes: number): void {
    this.now += minutes * minute;
  }
}

const nodeObject = ({ id, node, healthy }: SimulatedMachine): LiveObject => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: {
    name: `node-${id}`,
    uid: id,
    resourceVersion: '1',
    ...(node?.drainingSince !== undefined && { annotations: { [metadataKeys.draining]: node.drainingSince } }),
  },
  spec: { unschedulable: node?.cordoned === true },
  status: { conditions: [{ type: 'Ready', status: healthy ? 'True' : 'False' }] },
});

const owners = { service: 'ReplicaSet', protected: 'ReplicaSet', job: 'Job', daemon: 'DaemonSet' } as const;

const podObject = ({ name, kind, terminating }: SimulatedPod): LiveObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name,
    namespace: 'shop',
    uid: name,
    resourceVersion: '1',
    ...(terminating && { deletionTimestamp: '2026-11-21T10:00:00Z' }),
    ...(kind === 'protected' && { annotations: { 'karpenter.sh/do-not-disrupt': 'true' } }),
    ...(kind !== 'bare' && {
      ownerReferences: [{ apiVersion: 'v1', kind: owners[kind], name: 'owner', uid: 'owner', controller: true }],
    }),
  },
  status: { phase: 'Running' },
});
