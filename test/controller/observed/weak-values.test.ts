import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { WeakValues } from '../../../lib/controller/observed/weak-values';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const turn = () => new Promise((resolve) => setTimeout(resolve, 5));

test('equal values share one object while it is referenced, and nothing is kept of unreferenced ones', async () => {
  const values = new WeakValues<{ readonly name: string }>();
  const held = values.get('held', () => ({ name: 'held' }));
  expect(values.get('held', () => ({ name: 'another' }))).toBe(held);
  for (let index = 0; index < 1000; index++) values.get(`gone ${index}`, () => ({ name: `gone ${index}` }));
  expect(values.size).toBe(1001);
  for (let tries = 0; tries < 100 && values.size > 1; tries++) {
    collect();
    await turn();
  }
  expect(values.size).toBe(1);
  expect(values.get('held', () => ({ name: 'another' }))).toBe(held);
});
