import { OpenWatches } from '../../../lib/gateway/flow-control/open-watches';
import { type ClientAccount } from '../../../lib/gateway/identity/client-account';

const account = (project: string, name: string): ClientAccount => ({ kind: 'serviceAccount', project, name });
const user = (name: string): ClientAccount => ({ kind: 'user', project: '', name });

/** Opens watches until one is refused; returns how many there are, the refusal, and what closes the last one. */
function fill(watches: OpenWatches, of: ClientAccount) {
  let close = (): void => undefined;
  for (let count = 0; count < 10_000; count++) {
    const opened = watches.open(of);
    if (typeof opened !== 'function') return { count, refusal: opened, close };
    close = opened;
  }
  throw new Error('no watch was refused');
}

test('an account has a thousand, and its project five thousand', () => {
  const watches = new OpenWatches();
  for (const name of ['a', 'b', 'c', 'd', 'e'])
    expect(fill(watches, account('shop', name))).toMatchObject({
      count: 1_000,
      refusal: { scope: 'serviceAccount', limit: 1_000 },
    });
  expect(fill(watches, account('shop', 'f'))).toMatchObject({ count: 0, refusal: { scope: 'project', limit: 5_000 } });
  expect(fill(watches, account('other', 'a')).count).toBe(1_000);
});

test('a watch that is closed makes room for another one, once', () => {
  const watches = new OpenWatches({ account: 3, project: 3 });
  const { count, close } = fill(watches, account('shop', 'a'));
  expect(count).toBe(3);
  close();
  close();
  expect(fill(watches, account('shop', 'b')).count).toBe(1);
});

test('users share no project, and none is a service account of the same name', () => {
  const watches = new OpenWatches({ account: 2, project: 3 });
  for (const name of ['ann', 'ben', 'shop'])
    expect(fill(watches, user(name))).toMatchObject({ count: 2, refusal: { scope: 'user', limit: 2 } });
  expect(fill(watches, account('shop', 'ann')).count).toBe(2);
});
