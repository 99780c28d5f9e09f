import fc from 'fast-check';
import { type CachedObject } from '../../../lib/gateway/cache/cached-object';
import { ObjectCache } from '../../../lib/gateway/cache/object-cache';
import { selectionOf } from '../../../lib/gateway/cache/object-selection';
import { type CacheEvent, selectedFrame } from '../../../lib/gateway/cache/watch-event';
import { parseFieldSelector } from '../../../lib/gateway/selectors/field-selector';
import { parseLabelSelector } from '../../../lib/gateway/selectors/label-selector';
import { lineOf, pod, pods } from '../pods';

interface Line {
  readonly type: string;
  readonly object: {
    readonly metadata: { readonly name: string; readonly resourceVersion: string; readonly labels?: object };
  };
}
const read = (frame: Buffer): Line => {
  expect(frame.at(-1)).toBe(0x0a);
  return JSON.parse(frame.toString('utf8')) as Line;
};

const step = fc.record({
  name: fc.constantFrom('p', 'q', 'r'),
  app: fc.constantFrom('web', 'api'),
  node: fc.constantFrom(undefined, 'one', 'two'),
  isDeletion: fc.boolean(),
});
const selections = [
  selectionOf(undefined, undefined, undefined),
  selectionOf('a', undefined, undefined),
  selectionOf('b', undefined, undefined),
  selectionOf(undefined, parseLabelSelector('app=web'), undefined),
  selectionOf(undefined, undefined, parseFieldSelector('spec.nodeName=one', pods.selectableFields)),
  selectionOf('a', parseLabelSelector('app!=web'), parseFieldSelector('metadata.name!=q', pods.selectableFields)),
];

test('the events of a selection keep a client equal to it, each of a type that its state allows', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), fc.constantFrom(...selections), (steps, selection) => {
      const cache = new ObjectCache(pods, { events: 100, bytes: 1_000_000 });
      cache.replace([], 0);
      const client = new Map<string, string>();
      let last: CacheEvent | undefined;
      cache.subscribe({ onEvent: (event) => (last = event), onEnd: () => undefined });
      for (const [index, { name, app, node, isDeletion }] of steps.entries()) {
        const object = pod(name, index + 1, { labels: { app }, ...(node !== undefined && { node }) });
        const known: CachedObject | undefined = cache.get(object.key);
        if (isDeletion && !known) continue;
        // A deletion reports the last state, with the version of the deletion.
        const deleted = pod(name, index + 1, {
          labels: known?.labels ?? {},
          ...(known?.fields['spec.nodeName'] !== undefined && { node: known.fields['spec.nodeName'] }),
        });
        const type = isDeletion ? 'DELETED' : known ? 'MODIFIED' : 'ADDED';
        const reported = isDeletion ? deleted : object;
        cache.apply(type, reported, lineOf(type, reported));
        const frame = last && selectedFrame(last, selection);
        if (frame) {
          const {
            type: sent,
            object: { metadata },
          } = read(frame);
          expect(metadata.resourceVersion).toBe(`${index + 1}`);
          expect(sent === 'ADDED').toBe(!client.has(metadata.name));
          if (sent === 'DELETED') client.delete(metadata.name);
          else client.set(metadata.name, metadata.resourceVersion);
        }
        const expected = [...cache.list(selection)].map((one) => [one.name, `${one.version}`]);
        expect([...client].sort(([one], [other]) => (one < other ? -1 : 1))).toEqual(expected);
      }
    }),
  );
});

test('an object that leaves a selection is deleted with its former content', () => {
  const [before, after] = [pod('p', 1, { labels: { app: 'web' } }), pod('p', 2, { labels: { app: 'api' } })];
  const event: CacheEvent = {
    type: 'MODIFIED',
    version: 2,
    object: after,
    previous: before,
    frame: lineOf('MODIFIED', after),
  };
  const frame = selectedFrame(event, selectionOf(undefined, parseLabelSelector('app=web'), undefined));
  expect(frame && read(frame)).toMatchObject({
    type: 'DELETED',
    object: { metadata: { name: 'p', resourceVersion: '2', labels: { app: 'web' } } },
  });
});
