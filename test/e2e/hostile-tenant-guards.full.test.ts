import { controllerName, installedPolicies, installManifests } from '../../lib/expand';
import { expectStatus } from '../control-plane/api-response';
import { type SendableObject } from '../control-plane/client';
import { waitFor } from '../control-plane/wait-for';
import { inParallel } from './cluster-setup';
import { areas } from './hostile-tenant/areas';
import { type Attack, type Outcome } from './hostile-tenant/attack';
import { isAccepted, rehearse } from './hostile-tenant/run-attacks';
import { type Scene, scenePlatform } from './hostile-tenant/scene';
import { describeHostileTenant } from './hostile-tenant/suite';

/** Attacks of one request: the others cannot be rehearsed without effect. */
const attacks = areas
  .flatMap((area) => area.attacks)
  .filter(({ does, expects }) => typeof does === 'object' && expects.type === 'refused');
const names = new Set(installedPolicies(controllerName).map(({ metadata }) => metadata.name));
/** With the labels of the installation, without which the controller reports a changed policy. */
const bindings = installManifests({
  image: 'registry.example.com/pinion/controller:0.2.0',
  documents: scenePlatform,
})
  .filter(({ kind, metadata }) => kind === 'ValidatingAdmissionPolicyBinding' && names.has(metadata.name))
  .map((binding) => [binding.metadata.name, binding as SendableObject] as const);

/** Returns the attacks that each policy refuses, by its name; of several policies the API server reports one. */
async function refusals(scene: Scene): Promise<ReadonlyMap<string, readonly Attack[]>> {
  const outcomes = await inParallel(attacks, (attack) => rehearse(scene, attack));
  const policies = outcomes.map(({ message }) => /ValidatingAdmissionPolicy '([^']+)'/.exec(message)?.[1]);
  return new Map(bindings.map(([name]) => [name, attacks.filter((_, index) => policies[index] === name)]));
}

/** Policies that refuse the same attacks as another one while the scene has workloads, and are needed when it has none. */
const overlaps: Readonly<Record<string, string>> = { 'profile-in-force.pinterest.com': 'in-use.pinterest.com' };

describeHostileTenant('guards against a hostile tenant', (sceneOf) => {
  let scene: Scene;
  let refusedBy: ReadonlyMap<string, readonly Attack[]>;
  beforeAll(async () => {
    scene = await sceneOf();
    refusedBy = await refusals(scene);
  }, 300_000);

  /** Returns the first of several attacks that succeeds. */
  const success = async (of: readonly Attack[]): Promise<Attack | undefined> => {
    const outcomes = await inParallel(of, (attack) => rehearse(scene, attack));
    return of.find((_, index) => isAccepted(outcomes[index] as Outcome));
  };
  const bindingOf = (name: string): SendableObject => new Map(bindings).get(name) as SendableObject;
  const remove = async (name: string): Promise<void> => {
    const { client } = scene.cluster;
    const path = await client.discovery.objectPath(bindingOf(name));
    expectStatus(await client.request('DELETE', path), [200]);
  };
  const restore = async (name: string): Promise<void> =>
    void expectStatus(await scene.cluster.client.apply(bindingOf(name)), [201]);

  test.each(bindings.map(([name]) => name))('without %s, one of the attacks that it refuses succeeds', async (name) => {
    const overlapping = overlaps[name];
    const refused = [name, overlapping ?? name].flatMap((one) => refusedBy.get(one) ?? []);
    if (refused.length === 0) throw new Error(`${name} refuses no attack of this suite: add one`);
    if (overlapping !== undefined) await remove(overlapping);
    try {
      // Until only this policy refuses them.
      const own = await waitFor('attacks that it refuses', async () => {
        const refusals = await inParallel(refused, (attack) => rehearse(scene, attack));
        const all = refused.filter((_, index) => refusals[index]?.message.includes(`'${name}'`));
        return all.length > 0 && all;
      });
      await remove(name);
      try {
        await waitFor(`one to succeed of ${own.map((attack) => attack.name).join(', ')}`, () => success(own), {
          timeout: 20_000,
        });
      } finally {
        await restore(name);
        await waitFor('the policy to be in force', async () => ((await success(own)) ? undefined : true));
      }
    } finally {
      if (overlapping !== undefined) {
        await restore(overlapping);
        await waitFor('both policies to be in force', async () => ((await success(refused)) ? undefined : true));
      }
    }
  });
});
