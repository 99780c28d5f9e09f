import { electLeader } from '../../lib/kube';
import { LeaseStore } from './lease-store';
import { ManualClock } from './manual-clock';

/** A leader that says what it does, and rests when it is let. */
function scripted(stop: AbortSignal) {
  const time = new ManualClock();
  const store = new LeaseStore(time);
  const told: string[] = [];
  let settle = (): void => undefined;
  const resting = new Promise<void>((resolve) => (settle = resolve));
  let isLost = false;
  const election = electLeader({
    client: store.client({ delay: () => 5, lost: () => isLost }),
    namespace: 'system',
    name: 'worker',
    identity: 'one',
    clock: time,
    stop,
    leader: {
      lead: () => void told.push('works'),
      drain: () => resting.then(() => void told.push('rests')),
    },
    onLead: () => told.push('leads'),
    onLost: () => told.push('lost'),
  });
  const holder = () => (store.lease?.['spec'] as { readonly holderIdentity?: string } | undefined)?.holderIdentity;
  return { time, told, election, holder, settle, lose: () => void (isLost = true) };
}

test('a leader that is asked to end gives its lease back once its work has come to rest', async () => {
  const stop = new AbortController();
  const { time, told, election, holder, settle } = scripted(stop.signal);
  await time.turn(100);
  expect([told, holder(), election.isLeading()]).toEqual([['leads', 'works'], 'one', true]);
  stop.abort();
  await time.turn(1_000);
  expect(holder()).toBe('one');
  settle();
  await time.turn(100);
  expect([told.at(-1), holder(), await election.done]).toEqual(['rests', '', 'stopped']);
});

test('a process that was asked to end before it led never works', async () => {
  const { time, told, election } = scripted(AbortSignal.abort());
  await time.turn(10_000);
  expect([told, await election.done]).toEqual([[], 'stopped']);
});

test('a leader that loses its lease comes to rest, and says that it lost', async () => {
  const { time, told, election, settle, lose } = scripted(new AbortController().signal);
  await time.turn(100);
  lose();
  settle();
  await time.turn(30_000);
  expect([election.isLeading(), await election.done]).toEqual([false, 'lost']);
  expect([...told].sort()).toEqual(['leads', 'lost', 'rests', 'works']);
});
