import { textAt } from '../../api';
import { allPages, type LiveObject } from '../../kube';
import { drainedSince } from './leave';
import { type MachineGroup, type TemplateContent, type TemplateVersion } from './machines';
import { illnessOf } from './master-steps';
import { type MasterHealth, type RollObserved } from './observed';
import { outdatedMachines, templateKey } from './outdated';
import { type RollWorld } from './roll-world';
import { present } from './steps';

/**
 * Looks at everything that a roll is decided from. What it remembers between two looks only shortens or lengthens
 * patience: contents of templates, which never change, and since when something is ill or missing.
 */
export class RollObserver {
  private readonly contents = new Map<string, TemplateContent | undefined>();
  private readonly illSince = new Map<string, number>();
  private readonly shortSince = new Map<string, number>();

  constructor(private readonly world: RollWorld) {}

  /** What a version of a template says, as far as it was met. */
  contentOf = (version: TemplateVersion): TemplateContent | undefined => this.contents.get(templateKey(version));

  /** Looks once. Throws where the cloud or the API server does not answer. */
  async observe(): Promise<RollObserved> {
    const { client, machines, clock } = this.world;
    const [groups, masters, nodeList] = await Promise.all([
      machines.groups(),
      this.masters(),
      allPages(client, 'Node'),
    ]);
    await this.readTemplates(groups);
    const nodes = nodesByMachine(nodeList);
    const now = clock.now();
    track(
      this.shortSince,
      groups.filter((group) => present(group).length < group.size).map(({ name }) => name),
      now,
    );
    const [pods, failures] = await Promise.all([this.podsOf(nodeList), this.failures()]);
    return {
      now,
      groups,
      masters: this.withIllness(masters, now),
      outdated: outdatedMachines(groups, this.contents),
      nodes,
      pods,
      shortSince: this.shortSince,
      failures,
    };
  }

  private async masters(): Promise<readonly MasterHealth[]> {
    return Promise.all((await this.world.machines.masters()).map((place) => this.world.probe(place)));
  }

  private withIllness(masters: readonly MasterHealth[], now: number): readonly MasterHealth[] {
    const ill = masters.filter((health) => illnessOf(health, masters) !== undefined);
    track(
      this.illSince,
      ill.map(({ member }) => member),
      now,
    );
    return masters.map((health) => {
      const since = this.illSince.get(health.member);
      return since === undefined ? health : { ...health, illSince: since };
    });
  }

  private async readTemplates(groups: readonly MachineGroup[]): Promise<void> {
    const versions = groups.flatMap(({ template, machines }) => [
      template,
      ...machines.flatMap((one) => one.template ?? []),
    ]);
    for (const version of versions)
      if (!this.contents.has(templateKey(version)))
        this.contents.set(templateKey(version), await this.world.machines.template(version));
  }

  private async podsOf(nodes: readonly LiveObject[]): Promise<ReadonlyMap<string, readonly LiveObject[]>> {
    const drained = nodes.filter((node) => drainedSince(node) !== undefined).map(({ metadata }) => metadata.name);
    const lists = drained.map(async (name): Promise<[string, readonly LiveObject[]]> => [
      name,
      await allPages(this.world.client, 'Pod', { fieldSelector: `spec.nodeName=${name}` }),
    ]);
    return new Map(await Promise.all(lists));
  }

  private async failures(): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    for (const group of this.shortSince.keys()) {
      const failure = await this.world.machines.lastFailure(group);
      if (failure !== undefined) found.set(group, failure);
    }
    return found;
  }
}

/** Notes since when names are in a state; those that are not in it any more are forgotten. */
function track(since: Map<string, number>, names: readonly string[], now: number): void {
  for (const name of [...since.keys()]) if (!names.includes(name)) since.delete(name);
  for (const name of names) if (!since.has(name)) since.set(name, now);
}

/** Nodes by the id of their machine, which the cloud's own controller writes at the end of `spec.providerID`. */
export const nodesByMachine = (nodes: readonly LiveObject[]): ReadonlyMap<string, LiveObject> =>
  new Map(
    nodes.flatMap((node): [string, LiveObject][] => {
      const id = textAt(node, 'spec', 'providerID')?.split('/').at(-1);
      return id === undefined ? [] : [[id, node]];
    }),
  );
