import { type SpecInput } from '../../../lib/api';
import { ProblemResponse } from '../../../lib/submission';
import { Publishing } from '../publishing';
import { dev, EngineFixture, makeCaller, members, project, service, stage, type Replica } from './engine-fixture';
import { InMemoryTarget } from './in-memory-target';

const allMembers = [...members, { kind: 'Group', name: 'shop-release', role: 'edit' }] as const;
const release = makeCaller('rita@example.com', 'shop-release');

let fixture: EngineFixture;
let replica: Replica;
let main: InMemoryTarget;
let test1: InMemoryTarget;
const putOn = (target: InMemoryTarget, stages: SpecInput<'Project'>['stages']) =>
  target.put(project, { members: [...allMembers], stages });

const production = (clusters: readonly string[], overrides: object = {}) => ({
  name: 'production',
  clusters,
  publishers: [fixture.publishing.publisher],
  deployers: ['shop-release'],
  breakGlass: ['shop-developers'],
  ...overrides,
});

beforeEach(async () => {
  main = new InMemoryTarget('main');
  test1 = new InMemoryTarget('test-1');
  fixture = new EngineFixture([main, test1]);
  for (const target of [main, test1]) putOn(target, [{ name: 'staging' }, production(['main'])]);
  replica = await fixture.replica();
});
afterEach(() => fixture.stop());

/** Returns a service whose image has a digest, as protected stages require. */
const pinned = (image = `registry.example.com/app:1.0.0@sha256:${'a'.repeat(64)}`) => {
  const cart = structuredClone(service('cart'));
  for (const container of cart.spec.template.spec.containers) Object.assign(container, { image });
  return cart;
};
const publish = (name: string, targets: readonly string[], version = '1.0.0', by = fixture.publishing) =>
  by.publish(project, version, [pinned()], [stage({ name, targets })]);
const deploy = (artifact: string, stageName: string, caller = dev, breakGlass?: string) =>
  replica.engine.deploy(
    { caller, idempotencyKey: `${artifact} ${stageName} ${caller.subject}` },
    { artifact, stage: stageName, ...(breakGlass !== undefined && { breakGlass }) },
  );
const rejected = async (request: Promise<unknown>): Promise<ProblemResponse> => {
  const error: unknown = await request.catch((thrown: unknown) => thrown);
  if (!(error instanceof ProblemResponse)) throw new Error(`was not rejected: ${JSON.stringify(error)}`);
  return error;
};

const otherCi = () => {
  const { folder } = fixture.publishing;
  return new Publishing(folder, 'other/repository');
};

test('an artifact of another publisher does not reach the cluster of a protected stage through an open stage', async () => {
  await fixture.ended(replica, await deploy(await publish('production', ['main']), 'production', release));
  const before = main.workload(project, { kind: 'PinterestService', name: 'cart' });
  const foreign = await publish('staging', ['main'], '6.6.6', otherCi());
  const error = await rejected(deploy(foreign, 'staging'));
  expect(error).toMatchObject({ status: 403, details: { title: 'The stage may not deploy to its targets' } });
  expect(error.details.problems).toMatchObject([
    {
      object: 'Project shop on main',
      path: ['targets', 0],
      value: 'main',
      reason: 'belongs to stage production of the Project, which is protected; stage staging may not deploy there',
    },
  ]);
  expect(await rejected(deploy(foreign, 'staging', dev, 'the site is down, INC-4711'))).toMatchObject({ status: 403 });
  expect(main.workload(project, { kind: 'PinterestService', name: 'cart' })).toEqual(before);
});

test('a preview of it is rejected too', async () => {
  const foreign = await publish('staging', ['main'], '6.6.6', otherCi());
  const request = { artifact: foreign, stage: 'staging' };
  expect(await rejected(replica.engine.preview(dev, request))).toMatchObject({ status: 403 });
});

test('one target of a protected stage is enough to reject a deployment', async () => {
  const error = await rejected(deploy(await publish('staging', ['test-1', 'main']), 'staging'));
  expect(error.details.problems?.map(({ object, value }) => `${object} ${String(value)}`)).toEqual([
    'Project shop on test-1 main',
    'Project shop on main main',
  ]);
  expect([...main.liveObjects, ...test1.liveObjects]).toEqual([]);
});

test('the Project of every target decides, not only that of one', async () => {
  putOn(test1, [{ name: 'staging' }, production(['main', 'test-1'])]);
  const error = await rejected(deploy(await publish('production', ['main', 'test-1']), 'production', release));
  expect(error.details.problems).toMatchObject([
    { object: 'Project shop on main', value: 'test-1', reason: 'is not a cluster of stage production in the Project' },
  ]);
  putOn(main, [{ name: 'staging' }, production(['main', 'test-1'])]);
  const deployed = await deploy(await publish('production', ['main', 'test-1']), 'production', release);
  expect((await fixture.ended(replica, deployed)).phase).toBe('ready');
});

test('a cluster with another name in its Platform is rejected, because its stages would not be found there', async () => {
  fixture.targets.set('main', new InMemoryTarget('main', 'prod-7'));
  putOn(fixture.targets.get('main') as InMemoryTarget, [production(['main'])]);
  const error = await rejected(deploy(await publish('production', ['main']), 'production', release));
  expect(error.details.problems).toMatchObject([
    { object: 'Platform cluster on main', path: ['spec', 'cluster'], value: 'prod-7' },
  ]);
});

describe('a workload of a protected stage', () => {
  const live = () => main.workload(project, { kind: 'PinterestService', name: 'cart' })?.metadata.labels;
  beforeEach(async () => {
    await fixture.ended(replica, await deploy(await publish('production', ['main']), 'production', release));
  });

  test('is not taken over by a stage with other publishers or deployers when its cluster is released', async () => {
    putOn(main, [{ name: 'staging' }, production(['test-1'])]);
    const error = await rejected(deploy(await publish('staging', ['main'], '2.0.0'), 'staging'));
    expect(error).toMatchObject({ status: 422 });
    expect(error.details.problems).toMatchObject([
      {
        object: 'PinterestService shop/cart',
        path: ['metadata', 'name'],
        reason: 'belongs to stage production of workflow web, which has other publishers or deployers',
      },
    ]);
    expect(live()).toMatchObject({ 'pinterest.com/stage': 'production' });
  });

  test.each<[string, () => SpecInput<'Project'>['stages']]>([
    [
      'another protected stage that the Project gives the cluster to',
      () => [production(['test-1']), production(['main'], { name: 'staging', deployers: ['shop-developers'] })],
    ],
    ['an open stage after its own stage is removed from the Project', () => [{ name: 'staging' }]],
  ])('is taken over by %s', async (_, stagesOf) => {
    putOn(main, stagesOf());
    const deployed = await deploy(await publish('staging', ['main'], '2.0.0'), 'staging');
    expect((await fixture.ended(replica, deployed)).phase).toBe('ready');
    expect(live()).toMatchObject({ 'pinterest.com/stage': 'staging' });
  });
});

test('a protected stage rejects images without a digest, and names each', async () => {
  const tagged = await fixture.publishing.publish(
    project,
    '1.0.0',
    [pinned('registry.example.com/app:1.0.0')],
    [stage({ name: 'production', targets: ['main'] })],
  );
  const error = await rejected(deploy(tagged, 'production', release));
  expect(error.details.problems).toMatchObject([
    {
      object: 'PinterestService shop/cart',
      path: ['spec', 'template', 'spec', 'containers', 0, 'image'],
      value: 'registry.example.com/app:1.0.0',
      reason: expect.stringContaining('has no digest') as string,
    },
  ]);
});
