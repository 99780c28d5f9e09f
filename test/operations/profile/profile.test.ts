import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import {
  InvalidProfile,
  otherPaths,
  profileFrames,
  readProfile,
  sumProfile,
  valueIndex,
} from '../../../lib/operations';
import { type Frame, widthOf } from '../../../lib/etcd';
import { profileFile, type WrittenSample } from './profile-file';

const heap = [
  ['inuse_objects', 'count'],
  ['inuse_space', 'bytes'],
] as const;
const handler = 'k8s.io/apiserver/pkg/endpoints/handlers.ListResource.func1';
const samples: readonly WrittenSample[] = [
  [
    ['bytes.growSlice', 'k8s.io/api/core/v1.(*Pod).MarshalToSizedBuffer', handler],
    [1, 700],
  ],
  [
    [
      'k8s.io/apiserver/pkg/storage/cacher.(*watchCache).Add+k8s.io/apiserver/pkg/storage/cacher.(*watchCache).processEvent',
    ],
    [2, 200],
  ],
  [['runtime.gcBgMarkWorker'], [3, 0]],
  [
    ['main.f', 'main.g', 'main.f'],
    [4, 100],
  ],
];

test('a profile is summed by function and by code path, and both add up', () => {
  const profile = readProfile(gzipSync(profileFile(heap, samples)));
  expect(valueIndex(profile)).toBe(1);
  const { total, paths, functions } = sumProfile(profile, 1);
  expect(total).toBe(1000);
  expect(paths).toEqual([
    { description: 'encoding lists', value: 700 },
    { description: 'watch cache', value: 200 },
    { description: 'other', value: 100 },
  ]);
  expect(functions.reduce((sum, { own }) => sum + own, 0)).toBe(1000);
  expect(functions.find(({ name }) => name === 'main.f')).toEqual({ name: 'main.f', own: 100, total: 100 });
  expect(functions.find(({ name }) => name.endsWith('processEvent'))).toMatchObject({ own: 0, total: 200 });
  expect(sumProfile(profile, 0).paths.find(({ description }) => description === 'garbage collection')?.value).toBe(3);
});

test('code paths of the controller are recognized by the modules of its functions', () => {
  const outside = [
    'lib/kube/cache/store.ts:observe',
    'lib/kube/client/watch-lines.ts:(anonymous:3)',
    'node:_http_client:parserOnBody',
  ];
  const stacks: [description: string, stack: readonly string[]][] = [
    ['garbage collection', ['(garbage collector)']],
    [
      'expansion',
      [
        'lib/api/manifest/parse-manifest.ts:complete',
        'lib/expand/deployment.ts:deployment',
        'lib/controller/reconcile-cache.ts:run',
      ],
    ],
    ['status', ['lib/controller/report/report.ts:report', 'lib/controller/reconcile-cache.ts:run']],
    ['compressing the cache', ['lib/controller/observed/packed-text.ts:packText', ...outside]],
    ['decoding watch events', ['parse', 'lib/kube/client/watch-lines.ts:parseEvent', ...outside.slice(1)]],
    [
      'decoding lists and responses',
      ['parse', 'lib/kube/client/api-call.ts:decodeResponse', 'lib/kube/client/api-call.ts:callApi'],
    ],
    ['informers', outside],
    ['API requests', ['lib/kube/client/api-call.ts:callApi', 'lib/kube/cache/reflector.ts:list']],
    ['HTTP', ['node:_http_client:parserOnBody']],
  ];
  const written = stacks.map(([, stack], index): WrittenSample => [stack, [1, 2 ** index]]);
  const { paths } = sumProfile(readProfile(profileFile(heap, written)), 1);
  expect(new Map(paths.map(({ description, value }) => [description, value]))).toEqual(
    new Map(stacks.map(([description], index) => [description, 2 ** index])),
  );
});

test('every module of the controller is on a named path', () => {
  const root = join(__dirname, '..', '..', '..');
  const modules = ['controller', 'expand', 'kube', 'api'].flatMap((folder) =>
    readdirSync(join(root, 'lib', folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `lib/${folder}/${name}`),
  );
  expect(modules.length).toBeGreaterThan(300);
  const written = modules.map((name): WrittenSample => [[`${name}:f`], [1, 1]]);
  const { paths } = sumProfile(readProfile(profileFile(heap, written)), 1);
  expect(paths.map(({ description }) => description)).not.toContain(otherPaths);
});

test('frames are as wide as their callees, and include the values of an earlier profile', () => {
  const now = readProfile(profileFile(heap, samples));
  const before = readProfile(profileFile(heap, samples.slice(0, 2), false));
  const root = profileFrames(now, 1, before);
  expect(root).toMatchObject({ name: 'all', live: 1000, before: 900 });
  const check = (frame: Frame): void => {
    if (frame.children.length > 0) expect(frame.children.reduce((sum, { live }) => sum + live, 0)).toBe(frame.live);
    frame.children.forEach(check);
  };
  check(root);
  expect(widthOf(root)).toBe(1000);
});

test('every encoded profile is decoded again, compressed or not', () => {
  const name = fc.constantFrom('a', 'b', 'c', 'd+e', 'größe', 'x.(*y).z');
  const sample = fc.tuple(
    fc.array(name, { minLength: 1, maxLength: 9 }),
    fc.tuple(fc.nat(), fc.integer({ min: 0, max: 2 ** 40 })),
  );
  fc.assert(
    fc.property(fc.array(sample, { maxLength: 20 }), fc.boolean(), (written, isPacked) => {
      const read = readProfile(profileFile(heap, written, isPacked));
      expect(read.samples).toEqual(
        written.map(([stack, values]) => ({ stack: stack.flatMap((one) => one.split('+')), values })),
      );
    }),
  );
});

test('rejects bytes that are not a profile, always with InvalidProfile', () => {
  const valid = profileFile(heap, samples);
  expect(() => readProfile(Buffer.from('hello'))).toThrow(InvalidProfile);
  expect(() => readProfile(gzipSync(valid).subarray(0, 40))).toThrow(InvalidProfile);
  fc.assert(
    fc.property(
      fc.nat(valid.length - 1),
      fc.integer({ min: 0, max: 255 }),
      fc.nat(valid.length),
      (at, byte, length) => {
        const corrupted = Uint8Array.from(valid.subarray(0, length));
        if (at < corrupted.length) corrupted[at] = byte;
        try {
          const profile = readProfile(corrupted);
          profile.values.forEach((_, index) => sumProfile(profile, index));
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidProfile);
        }
      },
    ),
    { numRuns: 1000 },
  );
});
