import { parseManifest, type ManifestInput } from '@pinion-platform/pinion';
import {
  makeCronJob,
  makeDaemon,
  makeJobSet,
  makeService,
  makeStatefulSet,
  makeTrainingJob,
  objectsOf,
  problemsOf,
} from '@pinion-platform/pinion/testing';

const makers: Readonly<Record<string, () => ManifestInput>> = {
  makeService,
  makeJobSet,
  makeCronJob,
  makeDaemon,
  makeTrainingJob,
  makeStatefulSet,
};

test.each(Object.entries(makers))('%s returns a valid workload by default', (_, make) => {
  expect(problemsOf(make())).toEqual([]);
  expect(objectsOf(make()).length).toBeGreaterThan(1);
});

test('sets the name and the project, as in a construct', () => {
  expect(makeService({ name: 'cart', project: 'basket' }).metadata).toEqual({ name: 'cart', namespace: 'basket' });
});

test('overrides parts of the spec and keeps the rest', () => {
  const { spec } = makeStatefulSet({ replicas: 5, template: { spec: { hostUsers: false } } });
  expect(spec.replicas).toBe(5);
  expect(spec.template.spec.hostUsers).toBe(false);
  expect(spec.template.spec.containers).toHaveLength(1);
});

test('replaces complete lists', () => {
  expect(makeStatefulSet({ volumeClaimTemplates: [] }).spec.volumeClaimTemplates).toEqual([]);
});

test('undefined removes a default', () => {
  const { spec } = makeService({ loadBalancer: undefined });
  expect(spec).not.toHaveProperty('loadBalancer');
});

test('overrides of one workload do not affect the next one', () => {
  makeService({ loadBalancer: { port: 9090 } });
  expect(parseManifest(makeService()).spec.loadBalancer?.port).toBe(8080);
});
