import {
  containerOf,
  makeCronJob,
  makeJobSet,
  makeService,
  objectsOf,
  only,
  podOf,
} from '@pinion-platform/pinion/testing';

const service = objectsOf(makeService());

test('only returns the single object of a kind', () => {
  expect(only(service, 'Deployment').metadata.name).toBe('app');
  expect(only(service, 'Deployment', 'app')).toBe(only(service, 'Deployment'));
});

test('only lists the available objects if none or several match', () => {
  expect(() => only(service, 'StatefulSet')).toThrow(/^no StatefulSet among ServiceAccount app, .*Deployment app/);
  expect(() => only(service, 'Deployment', 'cart')).toThrow(/^no Deployment cart among/);
  expect(() => only(service, 'ConfigMap')).toThrow(/^3 matches for ConfigMap among/);
  expect(() => only([], 'Job')).toThrow('no Job among nothing');
});

test('podOf returns the pod template of a Deployment or of the Jobs of a CronJob', () => {
  expect(podOf(service).spec?.containers[0]?.name).toBe('app');
  expect(podOf(objectsOf(makeCronJob())).spec?.restartPolicy).toBeDefined();
});

test('podOf requires a name if several objects have pods', () => {
  const overrides = [{ shards: [2], env: { REGION: 'apac' } }];
  const shards = objectsOf(makeJobSet({ overrides }));
  expect(() => podOf(shards)).toThrow(/^3 objects with pods among .*; specify a name$/);
  expect(containerOf(podOf(shards, 'app-2'), 'app').env).toContainEqual({ name: 'REGION', value: 'apac' });
});

test('containerOf finds containers of the app and of the profile, and lists the available ones', () => {
  expect(containerOf(podOf(service), 'app').image).toBe('registry.example.com/app:1.0.0');
  expect(containerOf(podOf(service), 'pinion-logs').restartPolicy).toBe('Always');
  expect(() => containerOf(podOf(service), 'sidecar')).toThrow(/^no container sidecar among .*pinion-logs.*, app$/);
});
