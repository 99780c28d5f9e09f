import { ProblemResponse } from '../../../lib/submission';
import { EngineFixture, makeCaller, pinnedService, project, stage, type Replica } from './engine-fixture';
import { InMemoryTarget, type ProjectText } from './in-memory-target';

jest.setTimeout(60_000);

const members: ProjectText['members'] = [
  { kind: 'Group', name: 'shop-admins', role: 'admin' },
  { kind: 'Group', name: 'shop-leads', role: 'view' },
];
const [mia, ada, ben] = ['mia', 'ada', 'ben'].map((name) => makeCaller(`${name}@example.com`, 'shop-admins'));
const lead = makeCaller('lea@example.com', 'shop-leads');
type Promotion = NonNullable<NonNullable<ProjectText['stages']>[number]['promotion']>;

let fixture: EngineFixture;
let replica: Replica;
beforeEach(async () => {
  fixture = new EngineFixture([new InMemoryTarget('main'), new InMemoryTarget('test-1')]);
  replica = await fixture.replica();
});
afterEach(() => fixture.stop());

const require = (promotion: Promotion): void => {
  const production = {
    name: 'production',
    clusters: ['main'],
    publishers: [fixture.publishing.publisher],
    promotion,
  };
  for (const target of fixture.clusters) target.put(project, { members, stages: [{ name: 'staging' }, production] });
};
/** Publishes a workflow whose author removed every promotion rule. */
const publish = (stages = [stage({ name: 'production', targets: ['main'] })]) =>
  fixture.publishing.publish(project, '1.0.0', [pinnedService('cart')], stages);
const deploy = (artifact: string, caller = mia, stageName = 'production') =>
  replica.engine.deploy(
    { caller: caller as typeof lead, idempotencyKey: `key of ${stageName} ${caller?.subject}` },
    { artifact, stage: stageName },
  );
const approve = (artifact: string, caller = mia) =>
  replica.engine.approve(caller as typeof lead, { artifact, stage: 'production' });
const problemsOf = async (request: Promise<unknown>) => {
  const error: unknown = await request.catch((thrown: unknown) => thrown);
  if (!(error instanceof ProblemResponse)) throw new Error(`was not rejected: ${JSON.stringify(error)}`);
  return error.details.problems?.map(({ path, reason }) => `${path.slice(3).join('.')} ${reason}`);
};

test('a workflow without the required stage is not deployed, and nothing changes', async () => {
  require({ from: 'staging' });
  expect(await problemsOf(deploy(await publish()))).toEqual(['promotion.from has not been deployed to staging']);
  expect([...fixture.main.liveObjects]).toEqual([]);
});

test('a version is deployed after it was Ready in the stage that the Project names', async () => {
  require({ from: 'staging' });
  const artifact = await publish([
    stage({ name: 'staging', targets: ['test-1'] }),
    stage({ name: 'production', targets: ['main'] }),
  ]);
  expect(await problemsOf(deploy(artifact))).toContain('promotion.from has not been deployed to staging');
  expect((await fixture.ended(replica, await deploy(artifact, mia, 'staging'))).phase).toBe('ready');
  expect((await fixture.ended(replica, await deploy(artifact))).phase).toBe('ready');
});

test('a workload in an emergency does not count as Ready in the required stage', async () => {
  require({ from: 'staging' });
  const artifact = await publish([
    stage({ name: 'staging', targets: ['test-1'] }),
    stage({ name: 'production', targets: ['main'] }),
  ]);
  expect((await fixture.ended(replica, await deploy(artifact, mia, 'staging'))).phase).toBe('ready');
  const [staging] = fixture.clusters.filter(({ name }) => name === 'test-1');
  const live = staging?.workload(project, { kind: 'PinterestService', name: 'cart' });
  const annotations = { ...live?.metadata.annotations, 'pinterest.com/break-glass': '{}' };
  staging?.liveObjects.set(`${project}/PinterestService/cart`, {
    ...live,
    metadata: { ...live?.metadata, annotations },
  } as never);
  expect(await problemsOf(deploy(artifact))).toContain('promotion.from is no longer Ready in staging');
});

test('a version that only its deployer approved is not deployed', async () => {
  require({ approvals: 1 });
  const artifact = await publish();
  await approve(artifact, mia);
  expect(await problemsOf(deploy(artifact, mia))).toEqual([
    'promotion.approvals requires 1 approval of others than mia@example.com, of which 1 is missing',
  ]);
  expect((await fixture.ended(replica, await deploy(artifact, ada))).phase).toBe('ready');
});

test('two approvals are of two users besides the one who deploys', async () => {
  require({ approvals: 2 });
  const artifact = await publish();
  for (const caller of [ada, ada, mia]) await approve(artifact, caller);
  expect(await problemsOf(deploy(artifact, mia))).toHaveLength(1);
  await approve(artifact, ben);
  expect((await fixture.ended(replica, await deploy(artifact, mia))).phase).toBe('ready');
});

test('approvers need no other role than view, and other users do not approve', async () => {
  require({ approvals: 1, approvers: ['shop-leads'] });
  const artifact = await publish();
  expect(await problemsOf(approve(artifact, ada))).toEqual([' accepts approvals of certain groups only']);
  await approve(artifact, lead);
  expect((await fixture.ended(replica, await deploy(artifact, mia))).phase).toBe('ready');
});

test('approvals that were given before the Project listed approvers do not count', async () => {
  require({ approvals: 1 });
  const artifact = await publish();
  await approve(artifact, ada);
  require({ approvals: 1, approvers: ['shop-leads'] });
  expect(await problemsOf(deploy(artifact, mia))).toHaveLength(1);
});
