import { type Stack } from '@pulumi/pulumi/automation';
import { planClusterStack } from '../../stacks/plan';
import { findBinaries } from '../control-plane/binaries';
import { Engine } from '../pulumi-engine/engine';
import { languageHost } from '../pulumi-engine/language-host';
import { providerServer } from '../pulumi-engine/provider-server';
import { RememberedAws } from '../pulumi-engine/remembered-aws';
import { plainCluster } from '../stacks/plan/make-cluster';

const found = findBinaries(['pulumi']);
const describeEngine = 'paths' in found ? describe : describe.skip;
const reason = 'skipped' in found ? ` (skipped: ${found.skipped})` : '';

describeEngine(`the stack cluster, by the real engine${reason}`, () => {
  const aws = new RememberedAws();
  const provider = providerServer(aws);
  const language = languageHost();
  let engine: Engine;
  let stack: Stack;

  beforeAll(async () => {
    if (!('paths' in found)) return;
    engine = new Engine(found.paths.pulumi, await language.start(), { aws: await provider.start() });
    stack = await engine.stack('cluster-shop', { cluster: plainCluster });
  }, 60_000);
  afterAll(() => {
    provider.stop();
    language.stop();
    engine.remove();
  });

  test('a preview says all that will be made, and makes nothing', async () => {
    const { changeSummary } = await stack.preview();
    expect(changeSummary.create).toBeGreaterThan(150);
    expect(aws.things.size).toBe(0);
    expect(provider.refusals).toEqual([]);
  }, 120_000);

  test('an update makes it, in an order in which everything is there that is referred to', async () => {
    const { summary, outputs } = await stack.up();
    expect(summary.result).toBe('succeeded');
    expect(provider.refusals).toEqual([]);
    const { plan } = planClusterStack(plainCluster);
    expect(aws.of('Group')).toHaveLength(plan.masters.length + plan.nodeGroups.length);
    expect(aws.of('Volume')).toHaveLength(6);
    const zone = aws.of('Zone')[0]?.outputs['zoneId'];
    expect(outputs['platformFacts']?.value).toMatchObject({ cluster: 'shop', hostedZone: { id: zone } });
  }, 120_000);

  test('the same again changes nothing', async () => {
    const { summary } = await stack.up();
    expect(Object.keys(summary.resourceChanges ?? {})).toEqual(['same']);
  }, 120_000);

  test('a larger type of master is a new version of each template, and replaces nothing that holds data', async () => {
    const load = { ...plainCluster.load, overrides: { masterInstanceType: 'm6i.8xlarge' } };
    engine.configure('cluster-shop', { cluster: { ...plainCluster, load } });
    const { summary } = await stack.up();
    expect(Object.keys(summary.resourceChanges ?? {}).sort()).toEqual(['same', 'update']);
    const masters = aws.of('LaunchTemplate').filter(({ inputs }) => String(inputs['name']).includes('master'));
    expect(masters.map(({ outputs }) => outputs['latestVersion'])).toEqual([2, 2, 2]);
    const groups = aws.of('Group').filter(({ inputs }) => String(inputs['name']).includes('master'));
    expect(groups.map(({ inputs }) => (inputs['launchTemplate'] as { version: string }).version)).toEqual([
      '2',
      '2',
      '2',
    ]);
  }, 120_000);

  test('a wrong description is refused with all that is wrong, and changes nothing', async () => {
    const before = [...aws.things.values()];
    engine.configure('cluster-shop', { cluster: { ...plainCluster, zones: ['us-east-1a'], load: { nodes: 0 } } });
    await expect(stack.up()).rejects.toThrow(/zones[\s\S]*load\.nodes/);
    expect([...aws.things.values()]).toEqual(before);
    engine.configure('cluster-shop', { cluster: plainCluster });
  }, 120_000);

  test('a refresh finds what was deleted behind its back, and the next update makes it anew', async () => {
    const [queue] = aws.of('Queue');
    const hooks = aws.of('LifecycleHook').map(({ id }) => id);
    for (const id of [...hooks, queue?.id ?? '']) aws.things.delete(id);
    const refreshed = await stack.refresh();
    expect(refreshed.summary.resourceChanges?.delete).toBe(hooks.length + 1);
    const { summary } = await stack.up();
    expect(summary.resourceChanges?.create).toBe(hooks.length + 1);
    expect(aws.of('Queue')).toHaveLength(1);
  }, 180_000);

  test('destroying stops at what holds data, and goes through once that is given up by name', async () => {
    await expect(stack.destroy()).rejects.toThrow(/protected/);
    expect(aws.of('Volume')).toHaveLength(6);
    await engine.command('state', 'unprotect', '--all', '--yes', '--stack', 'cluster-shop');
    await stack.destroy();
    expect([...aws.things.keys()]).toEqual([]);
    expect(provider.refusals).toEqual([]);
  }, 180_000);
});
