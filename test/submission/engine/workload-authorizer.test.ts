import { generateKeyPairSync } from 'node:crypto';
import { metadataKeys } from '../../../lib/api';
import { verifyWorkload, type ArtifactResource, type WorkloadTrust } from '../../../lib/artifact';
import { ProblemResponse } from '../../../lib/submission';
import { dev, EngineFixture, members, pinnedService, project, service, stage, type Replica } from './engine-fixture';
import { deploymentKey, trustedKeys } from './in-memory-target';

const keyOf = () => generateKeyPairSync('ed25519').privateKey;

let fixture: EngineFixture;
let replica: Replica;
afterEach(() => fixture.stop());

const cart = { kind: 'PinterestService', name: 'cart' };
const live = () => fixture.main.workload(project, cart) as ArtifactResource | undefined;
const verified = (overrides: Partial<WorkloadTrust> = {}, workload = live()) =>
  verifyWorkload(workload as ArtifactResource, {
    cluster: 'main',
    project: fixture.main.project(project) as WorkloadTrust['project'],
    deploymentKeys: trustedKeys,
    issuerKeys: () => Promise.reject(new Error('not needed')),
    ...overrides,
  });

async function start(): Promise<void> {
  fixture = new EngineFixture();
  const { publisher } = fixture.publishing;
  const production = { name: 'prod', clusters: ['main'], publishers: [publisher], breakGlass: ['shop-developers'] };
  fixture.main.put(project, { members: [...members], stages: [production as never] });
  replica = await fixture.replica();
}
const publish = (version: string, workloads = [pinnedService('cart'), pinnedService('web')]) =>
  fixture.publishing.publish(project, version, workloads, [stage()]);
const deploy = async (version: string) => fixture.ended(replica, await fixture.deploy(replica, await publish(version)));

test('a workload of a protected stage carries what the controller verifies', async () => {
  await start();
  expect((await deploy('1.0.0')).phase).toBe('ready');
  expect(await verified()).toMatchObject({
    accepted: true,
    authorization: { cluster: 'main', project: 'shop', stage: 'prod', name: 'cart', sequence: 2, intent: 'deploy' },
  });
  expect(await verified({ cluster: 'prod-2' })).toMatchObject({ accepted: false, reason: 'OtherWorkload' });
});

test('an older authorization is superseded, and a rollback is authorized anew', async () => {
  await start();
  await deploy('1.0.0');
  const first = live();
  await deploy('2.0.0');
  const now = await verified();
  if (!now.accepted) throw new Error(now.message);
  const { sequence, part } = now.authorization;
  expect(await verified({ accepted: { sequence, part } }, first)).toMatchObject({ reason: 'Superseded' });
  const request = { project, workflow: 'web', stage: 'prod' };
  const back = await replica.engine.rollBack({ caller: dev, idempotencyKey: 'key-back-0001' }, request);
  expect((await fixture.ended(replica, back)).phase).toBe('ready');
  const after = await verified({ accepted: { sequence, part } });
  expect(after).toMatchObject({ accepted: true, authorization: { intent: 'rollback' } });
});

test('an automatic rollback is authorized with a sequence number of its own', async () => {
  await start();
  await deploy('1.0.0');
  fixture.main.becomesReady = ({ metadata }) => metadata.annotations?.[metadataKeys.artifact] !== 'shop/web@2.0.0';
  expect((await deploy('2.0.0')).phase).toBe('rolledBack');
  expect(await verified({ accepted: { sequence: 4, part: `sha256:${'0'.repeat(64)}` } })).toMatchObject({
    accepted: true,
    authorization: { artifact: 'shop/web@1.0.0', sequence: 5, intent: 'rollback' },
  });
});

test('workloads of stages that are not protected carry neither', async () => {
  await start();
  fixture.main.put(project, { members: [...members] });
  const artifact = await publish('1.0.0', [service('cart')]);
  expect((await fixture.ended(replica, await fixture.deploy(replica, artifact))).phase).toBe('ready');
  const annotations = live()?.metadata['annotations'];
  expect(annotations).toHaveProperty([metadataKeys.artifact]);
  for (const key of [metadataKeys.proof, metadataKeys.authorization]) expect(annotations).not.toHaveProperty([key]);
});

test.each([
  ['a service without a key', undefined, trustedKeys, /the submission service, which has no key/],
  ['a service with another key', keyOf(), trustedKeys, /does not list the public key/],
  ['a cluster that trusts no key', deploymentKey, [], /does not list the public key/],
])('%s gets no deployments to protected stages', async (_, key, trusted, reason) => {
  await start();
  await fixture.stop();
  fixture.deploymentKey = key;
  fixture.main.deploymentKeys = trusted;
  replica = await fixture.replica();
  const error: unknown = await deploy('1.0.0').catch((thrown: unknown) => thrown);
  if (!(error instanceof ProblemResponse)) throw new Error('was not rejected');
  expect(error.details.problems).toMatchObject([
    { object: 'Platform on main', path: ['spec', 'deploymentKeys'], reason: expect.stringMatching(reason) as string },
  ]);
  expect(fixture.main.seen).toEqual([]);
});
