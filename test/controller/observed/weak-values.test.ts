import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { WeakValues } from '../../../lib/controller/observed/weak-values';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const nextTurn = () => new Promise((resolve) => setTimeout(resolve, 5));

test('equal values share one object while it is referenced, and unreferenced ones are dropped', async () => {
  const values = new WeakValues<{ readonly name: string }>();
  const held = values.get('held', () => ({ name: 'held' }));
  expect(values.get('held', () => ({ name: 'another' }))).toBe(held);
  for (let index = 0; index < 1000; index++)
    values.get(`unreferenced ${index}`, () => ({ name: `unreferenced ${index}` }));
  expect(values.size).toBe(1001);
  for (let tries = 0; tries < 100 && values.size > 1; tries++) {
    collectGarbage();
    await nextTurn();
  }
  expect(values.size).toBe(1);
  expect(values.get('held', () => ({ name: 'another' }))).toBe(held);
});
