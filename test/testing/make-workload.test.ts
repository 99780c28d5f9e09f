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

test.each(Object.entries(makers))('%s makes a workload without problems, as it is', (_, make) => {
  expect(problemsOf(make())).toEqual([]);
  expect(objectsOf(make()).length).toBeGreaterThan(1);
});

test('name and project are said as in a construct', () => {
  expect(makeService({ name: 'cart', project: 'basket' }).metadata).toEqual({ name: 'cart', namespace: 'basket' });
});

test('parts of the spec are said anew, and the rest stays', () => {
  const { spec } = makeStatefulSet({ replicas: 5, template: { spec: { hostUsers: false } } });
  expect(spec.replicas).toBe(5);
  expect(spec.template.spec.hostUsers).toBe(false);
  expect(spec.template.spec.containers).toHaveLength(1);
});

test('a list is said as a whole', () => {
  expect(makeStatefulSet({ volumeClaimTemplates: [] }).spec.volumeClaimTemplates).toEqual([]);
});

test('undefined takes a default away', () => {
  const { spec } = makeService({ loadBalancer: undefined });
  expect(spec).not.toHaveProperty('loadBalancer');
});

test('one workload made anew leaves the next one as it was', () => {
  makeService({ loadBalancer: { port: 9090 } });
  expect(parseManifest(makeService()).spec.loadBalancer?.port).toBe(8080);
});
