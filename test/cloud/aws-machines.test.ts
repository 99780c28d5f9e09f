import { AwsMachines } from '../../lib/cloud';
import { EmulatedCluster } from './emulated-cluster';
import { type Moto, motoMissing, openMoto } from './moto';

// Each test creates a cluster of its own in a slow emulation.
jest.setTimeout(60_000);

const withMoto = motoMissing === undefined ? describe : describe.skip;
if (motoMissing !== undefined) test.skip(`machines in AWS: ${motoMissing}`, () => undefined);

withMoto('machines in AWS', () => {
  let moto: Moto;
  let count = 0;
  const opened: AwsMachines[] = [];
  beforeAll(async () => {
    moto = await openMoto();
  }, 90_000);
  afterAll(async () => {
    for (const machines of opened) machines.close();
    await moto.stop();
  });

  async function createCluster(
    pool = { size: 3, max: 6 },
  ): Promise<{ machines: AwsMachines; cluster: EmulatedCluster }> {
    const name = `prod-${(count += 1)}`;
    const cluster = new EmulatedCluster(moto, { name, controlPlaneNodes: ['a', 'b'], pools: { general: pool } });
    await cluster.create('1.35.4');
    const machines = new AwsMachines(name, moto.options);
    opened.push(machines);
    return { machines, cluster };
  }
  const poolOf = async (machines: AwsMachines) => {
    const found = (await machines.groups()).find(({ part }) => part === 'nodes');
    if (!found) throw new Error('no pool found');
    return found;
  };

  test('finds groups by tag, with unit, size, template and machines', async () => {
    const { machines } = await createCluster();
    const groups = await machines.groups();
    expect(groups.map(({ part, unit, size, max }) => [part, unit, size, max]).sort()).toEqual([
      ['control-plane', 'a', 1, 1],
      ['control-plane', 'b', 1, 1],
      ['nodes', 'general', 3, 6],
    ]);
    const pool = await poolOf(machines);
    expect(pool.template.version).toBe('1');
    expect(pool.machines.map(({ state, template }) => [state, template])).toEqual(
      Array.from({ length: 3 }, () => ['in-service', pool.template]),
    );
    expect(pool.machines.every(({ launchedAt }) => launchedAt > Date.parse('2020-01-01'))).toBe(true);
  });

  test('returns control plane nodes with their persistent address and the databases of their volumes', async () => {
    const { machines } = await createCluster();
    const nodes = [...(await machines.controlPlaneNodes())].sort((a, b) => (a.member < b.member ? -1 : 1));
    expect(nodes.map(({ member, databases }) => [member, databases])).toEqual([
      ['a', ['events', 'main']],
      ['b', ['events', 'main']],
    ]);
    expect(nodes[0]?.address).toMatch(/^172\.31\./);
  });

  test('compares a new template with that of running machines, value by value', async () => {
    const { machines, cluster } = await createCluster();
    await cluster.change('1.36.3', 'general');
    const pool = await poolOf(machines);
    expect(pool.template.version).toBe('2');
    expect(pool.machines[0]?.template?.version).toBe('1');
    const [before, after] = [
      await machines.template({ ...pool.template, version: '1' }),
      await machines.template(pool.template),
    ];
    expect([before?.kubernetes, after?.kubernetes]).toEqual(['1.35.4', '1.36.3']);
    const names = Object.keys(after?.fields ?? {}).filter((name) => before?.fields[name] !== after?.fields[name]);
    expect(names.sort()).toEqual(['image', 'tag pinion/kubernetes of instance']);
    expect(await machines.template({ ...pool.template, version: '99' })).toBeUndefined();
  });

  test('stores the state of a roll for the next process, and deletes it', async () => {
    const { machines } = await createCluster();
    const { name, machines: list } = await poolOf(machines);
    const id = list[0]?.id ?? '';
    const since = Date.parse('2026-11-21T10:00:00Z');
    await machines.saveDesiredCapacity(name, 3);
    await machines.markDraining(id, since);
    const marked = await poolOf(machines);
    expect(marked.desiredCapacity).toBe(3);
    expect(marked.machines.find((machine) => machine.id === id)?.drainingSince).toBe(since);
    await machines.saveDesiredCapacity(name, undefined);
    await machines.markDraining(id, undefined);
    const cleared = await poolOf(machines);
    expect(cleared).not.toHaveProperty('desiredCapacity');
    expect(cleared.machines.find((machine) => machine.id === id)).not.toHaveProperty('drainingSince');
  });

  test('grows a group by machines of the new template, and shrinks it by the terminated one', async () => {
    const { machines, cluster } = await createCluster();
    await cluster.change('1.36.3');
    const { name, machines: before } = await poolOf(machines);
    const id = before[0]?.id ?? '';
    await machines.resize(name, 4);
    const grown = await poolOf(machines);
    expect([grown.size, grown.machines.filter(({ template }) => template?.version === '2').length]).toEqual([4, 1]);
    await machines.terminate(id, true);
    const shrunk = await poolOf(machines);
    expect([shrunk.size, shrunk.machines.filter(({ state }) => state !== 'terminating').length]).toEqual([3, 3]);
    expect(shrunk.machines.filter(({ state }) => state !== 'terminating').map((machine) => machine.id)).not.toContain(
      id,
    );
    await machines.terminate(before[1]?.id ?? '', false);
    expect((await poolOf(machines)).size).toBe(3);
  });

  test('ignores groups of another cluster', async () => {
    await createCluster();
    const machines = new AwsMachines('elsewhere', moto.options);
    opened.push(machines);
    expect(await machines.groups()).toEqual([]);
  });
});
