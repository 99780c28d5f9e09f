import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { controllerPaths } from '../../../lib/operations/profile/controller-paths';

const root = join(__dirname, '../../..');
const pathOf = (frame: string): string | undefined =>
  controllerPaths.find(({ patterns }) => patterns.every((pattern) => pattern.test(frame)))?.description;

test.each([
  ['lib/controller/profiles/serve-profiles.ts', 'collecting profiles'],
  ['lib/controller/observed/packed-text.ts', 'compressing the cache'],
  ['lib/controller/observed/informer-stores.ts', 'caching observed objects'],
  ['lib/controller/report/report.ts', 'status'],
  ['lib/controller/plan/plan.ts', 'planning'],
  ['lib/controller/run/assemble-jobs.ts', 'running jobs'],
  ['lib/controller/reconcile-workload.ts', 'reconciling'],
  ['lib/controller-runtime/typed-controller.ts', 'reconciling'],
  ['lib/controller-runtime/cache.ts', 'informers'],
  ['lib/controller-runtime/cached-client.ts', 'informers'],
  ['lib/kube/cache/shared-informer.ts', 'informers'],
  ['lib/kube/cache/shared-informer-factory.ts', 'informers'],
  ['lib/kube/cache/store.ts', 'informers'],
  ['lib/kube/cache/store-index.ts', 'informers'],
  ['lib/kube/cache/trim-for-cache.ts', 'informers'],
  ['lib/kube/cache/reflector.ts', 'API requests'],
  ['lib/kube/queue/work-queue.ts', 'work queue'],
  ['lib/expand/expand.ts', 'expansion'],
  ['lib/api/index.ts', 'validating manifests'],
])('the time of %s, which exists, is %s', (file, description) => {
  expect([existsSync(join(root, file)), pathOf(`${file}:f`)]).toEqual([true, description]);
});

test.each([
  ['lib/kube/client/watch-lines.ts', 'parseEvent', 'decoding watch events'],
  ['lib/kube/client/api-call.ts', 'decodeResponse', 'decoding lists and responses'],
])('the time of a function of %s, which exists, is known', (file, name, description) => {
  expect(readFileSync(join(root, file), 'utf8')).toContain(name);
  expect(pathOf(`${file}:${name}`)).toBe(description);
});
