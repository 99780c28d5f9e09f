import { parseManifest, type ManifestInput } from 'pinion';
import {
  makeCronJob,
  makeDaemon,
  makeJobSet,
  makeService,
  makeStatefulSet,
  makeTrainingJob,
  objectsOf,
  problemsOf,
} from 'pinion/testing';

const makers: Readonly<Record<string, () => ManifestInput>> = {
  makeService,
  makeJobSet,
  makeCronJob,
  makeDaemon,
  makeTrainingJob,
  makeStatefulSet,
};

test.each(Object.entries(makers))('%s makes a valid workload by default', (_, make) => {
  expect(problemsOf(make())).toEqual([]);
  expect(objectsOf(make()).length).toBeGreaterThan(1);
});

test('sets name and project as in a construct', () => {
  expect(makeService({ name: 'cart', project: 'basket' }).metadata).toEqual({ name: 'cart', namespace: 'basket' });
});

test('replaces the given parts of the spec, and keeps the rest', () => {
  const { spec } = makeStatefulSet({ replicas: 5, template: { spec: { hostUsers: false } } });
  expect(spec.replicas).toBe(5);
  expect(spec.template.spec.hostUsers).toBe(false);
  expect(spec.template.spec.containers).toHaveLength(1);
});

test('replaces a list as a whole', () => {
  expect(makeStatefulSet({ volumeClaimTemplates: [] }).spec.volumeClaimTemplates).toEqual([]);
});

test('undefined removes a default', () => {
  const { spec } = makeService({ loadBalancer: undefined });
  expect(spec).not.toHaveProperty('loadBalancer');
});

test('one workload does not change the next one', () => {
  makeService({ loadBalancer: { port: 9090 } });
  expect(parseManifest(makeService()).spec.loadBalancer?.port).toBe(8080);
});
