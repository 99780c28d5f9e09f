import fc from 'fast-check';
import {
  addPage,
  applyEntries,
  beginListing,
  type Collection,
  emptyCollection,
  endListing,
} from '../../../lib/page/state/collection';

const keys = ['a', 'b', 'c', 'd', 'e'];
const keyArbitrary = fc.constantFrom(...keys);

test('a collection equals the state of the service after a list, regardless of changes during the list', () => {
  // Every write is streamed, and each page is read at a different time: the collection must end with the last write of
  // each key.
  const write = fc.record({ key: keyArbitrary, deleted: fc.boolean() });
  fc.assert(
    fc.property(fc.array(write), fc.array(fc.array(write), { minLength: 5, maxLength: 5 }), (before, during) => {
      const service = new Map<string, number>();
      let version = 0;
      const apply = ({ key, deleted }: { key: string; deleted: boolean }) => {
        version += 1;
        if (deleted) service.delete(key);
        else service.set(key, version);
        return { key, item: deleted ? undefined : version };
      };
      let collection: Collection<number> = applyEntries(emptyCollection<number>(), [{ key: 'stale', item: 0 }]);
      before.forEach(apply);
      collection = beginListing(collection);
      keys.forEach((key, index) => {
        const item = service.get(key);
        const page = item === undefined ? [] : [{ key, item }];
        // Changes streamed between the read and the arrival of a page are newer than the page.
        collection = applyEntries(collection, (during[index] ?? []).map(apply));
        collection = addPage(collection, page);
      });
      collection = endListing(collection);
      expect(Object.fromEntries(collection.items)).toEqual(Object.fromEntries(service));
      expect(collection.complete).toBe(true);
    }),
  );
});

test('a list in progress drops no known item', () => {
  const known = applyEntries(emptyCollection<number>(), [{ key: 'a', item: 1 }]);
  expect([...addPage(beginListing(known), [{ key: 'b', item: 2 }]).items.keys()]).toEqual(['a', 'b']);
});
