import { textAt } from '../../api';
import { listAllPages, type LiveObject } from '../../kube';
import { drainedSince } from './drain-and-terminate';
import { type MachineGroup, type TemplateContent, type TemplateVersion } from './machines';
import { unhealthyReasonOf } from './control-plane-steps';
import { type ControlPlaneHealth, type ObservedCluster } from './observed-cluster';
import { outdatedMachines, templateKey } from './outdated-machines';
import { type RollDeps } from './roll-deps';
import { remainingMachines } from './roll-plan';

/**
 * Observes the state that a roll is planned from. Caches only template contents, which are immutable, and the times since
 * when something is unhealthy or missing, which only affect timeouts.
 */
export class RollObserver {
  private readonly contents = new Map<string, TemplateContent | undefined>();
  private readonly unhealthySince = new Map<string, number>();
  private readonly belowSizeSince = new Map<string, number>();

  constructor(private readonly deps: RollDeps) {}

  /** Returns the content of a template version, if it was observed. */
  contentOf = (version: TemplateVersion): TemplateContent | undefined => this.contents.get(templateKey(version));

  /** Observes the cluster once. Throws if the cloud or the API server is unreachable. */
  async observe(): Promise<ObservedCluster> {
    const { client, machines, clock } = this.deps;
    const [groups, controlPlane, nodeList] = await Promise.all([
      machines.groups(),
      this.controlPlane(),
      listAllPages(client, 'Node'),
    ]);
    await this.readTemplates(groups);
    const nodes = nodesByMachine(nodeList);
    const now = clock.now();
    track(
      this.belowSizeSince,
      groups.filter((group) => remainingMachines(group).length < group.size).map(({ name }) => name),
      now,
    );
    const [pods, failures] = await Promise.all([this.podsOf(nodeList), this.failures()]);
    return {
      now,
      groups,
      controlPlane: this.withUnhealthySince(controlPlane, now),
      outdated: outdatedMachines(groups, this.contents),
      nodes,
      pods,
      belowSizeSince: this.belowSizeSince,
      failures,
    };
  }

  private async controlPlane(): Promise<readonly ControlPlaneHealth[]> {
    return Promise.all((await this.deps.machines.controlPlaneNodes()).map((node) => this.deps.probe(node)));
  }

  private withUnhealthySince(controlPlane: readonly ControlPlaneHealth[], now: number): readonly ControlPlaneHealth[] {
    const unhealthy = controlPlane.filter((health) => unhealthyReasonOf(health, controlPlane) !== undefined);
    track(
      this.unhealthySince,
      unhealthy.map(({ member }) => member),
      now,
    );
    return controlPlane.map((health) => {
      const since = this.unhealthySince.get(health.member);
      return since === undefined ? health : { ...health, unhealthySince: since };
    });
  }

  private async readTemplates(groups: readonly MachineGroup[]): Promise<void> {
    const versions = groups.flatMap(({ template, machines }) => [
      template,
      ...machines.flatMap((one) => one.template ?? []),
    ]);
    for (const version of versions)
      if (!this.contents.has(templateKey(version)))
        this.contents.set(templateKey(version), await this.deps.machines.template(version));
  }

  private async podsOf(nodes: readonly LiveObject[]): Promise<ReadonlyMap<string, readonly LiveObject[]>> {
    const drained = nodes.filter((node) => drainedSince(node) !== undefined).map(({ metadata }) => metadata.name);
    const lists = drained.map(async (name): Promise<[string, readonly LiveObject[]]> => [
      name,
      await listAllPages(this.deps.client, 'Pod', { fieldSelector: `spec.nodeName=${name}` }),
    ]);
    return new Map(await Promise.all(lists));
  }

  private async failures(): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    for (const group of this.belowSizeSince.keys()) {
      const failure = await this.deps.machines.lastFailure(group);
      if (failure !== undefined) found.set(group, failure);
    }
    return found;
  }
}

/** Records since when names are in a state, and drops names that left it. */
function track(since: Map<string, number>, names: readonly string[], now: number): void {
  for (const name of [...since.keys()]) if (!names.includes(name)) since.delete(name);
  for (const name of names) if (!since.has(name)) since.set(name, now);
}

/** Returns nodes by machine id, the last segment of `spec.providerID`. */
export const nodesByMachine = (nodes: readonly LiveObject[]): ReadonlyMap<string, LiveObject> =>
  new Map(
    nodes.flatMap((node): [string, LiveObject][] => {
      const id = textAt(node, 'spec', 'providerID')?.split('/').at(-1);
      return id === undefined ? [] : [[id, node]];
    }),
  );
