import { PinterestService } from '@pinion-platform/pinion';
import {
  expectReady,
  makeJobSet,
  makeProjectContext,
  makeService,
  makeTrainingJob,
} from '@pinion-platform/pinion/testing';
import { Testing } from 'cdk8s';

const cart = expectReady(makeService({ name: 'cart', replicas: 3 }));
const template = { spec: { containers: [{ name: 'app', image: 'registry.example.com/cart:1.4.2' }] } };

test('its objects are typed by their kind', () => {
  const replicas: number | undefined = cart.only('Deployment').spec.replicas;
  expect(replicas).toBe(3);
  expect(cart.objectsOf('Service').flatMap(({ spec }) => spec.ports?.map(({ port }) => port))).toEqual([8080]);
  expect(cart.objectsOf('ConfigMap')).toHaveLength(3);
  expect(cart.objectsOf('Job')).toEqual([]);
  expect(cart.container('app').image).toBe('registry.example.com/app:1.0.0');
  expect(cart.pod().spec?.serviceAccountName).toBe('cart');
  expect(cart.snapshot()).toContain('kind: Deployment\n');
});

test('a query without a match lists what there is', () => {
  expect(() => cart.only('CronJob')).toThrow(/^no CronJob among ServiceAccount cart, .*Deployment cart/);
  expect(() => cart.only('ConfigMap')).toThrow(/^3 matches for ConfigMap among/);
  expect(() => cart.container('sidecar')).toThrow(/^no container sidecar among .*app$/);
  expect(() => expectReady(makeJobSet({ overrides: [{ shards: [2], env: { A: 'b' } }] })).pod()).toThrow(
    'specify a name',
  );
});

test('all problems of a manifest are reported with field, value, reason and remedy', () => {
  const broken = { ...makeService({ name: 'cart', replicas: -1, iamRole: 'no role' }) };
  expect(() => expectReady(broken)).toThrow(
    /^PinterestService cart is not ready to be deployed: it has 2 problems\n {2}.*spec\.replicas: -1 .*\n {2}.*spec\.iamRole: "no role"/,
  );
});

test('a problem of the context is reported', () => {
  const context = makeProjectContext({ platform: { pools: [{ name: 'general' }] } });
  expect(() => expectReady(makeService({ placement: { pool: 'highmem' } }), context)).toThrow(
    /it has a problem\n {2}.*spec\.placement\.pool: "highmem"/,
  );
});

test('a construct is tested in the context of its app', () => {
  const chart = Testing.chart();
  const service = new PinterestService(chart, 'cart', { project: 'shop', replicas: 2, template });
  expect(expectReady(service).only('Deployment').spec.replicas).toBe(2);
  const broken = new PinterestService(chart, 'broken', { project: 'shop', replicas: -1, template });
  expect(() => expectReady(broken)).toThrow(/^PinterestService broken is not ready to be deployed: .*\n.*replicas: -1/);
});

test('a warning counts as a problem', () => {
  const warned = makeTrainingJob({ template: { spec: { containers: [{ name: 'train', image: 'train:latest' }] } } });
  expect(() => expectReady(warned)).toThrow(/warning/);
});
