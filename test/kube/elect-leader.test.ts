import { electLeader } from '../../lib/kube';
import { LeaseStore } from './lease-store';
import { ManualClock } from './manual-clock';

/** A leader that records its calls and stops when released. */
function scripted(stop: AbortSignal) {
  const time = new ManualClock();
  const store = new LeaseStore(time);
  const calls: string[] = [];
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
      lead: () => void calls.push('works'),
      drain: () => resting.then(() => void calls.push('rests')),
    },
    onLead: () => calls.push('leads'),
    onLost: () => calls.push('lost'),
  });
  const holder = () => (store.lease?.['spec'] as { readonly holderIdentity?: string } | undefined)?.holderIdentity;
  return { time, calls, election, holder, settle, lose: () => void (isLost = true) };
}

test('releases the lease on shutdown after its work has stopped', async () => {
  const stop = new AbortController();
  const { time, calls, election, holder, settle } = scripted(stop.signal);
  await time.turn(100);
  expect([calls, holder(), election.isLeading()]).toEqual([['leads', 'works'], 'one', true]);
  stop.abort();
  await time.turn(1_000);
  expect(holder()).toBe('one');
  settle();
  await time.turn(100);
  expect([calls.at(-1), holder(), await election.done]).toEqual(['rests', '', 'stopped']);
});

test('does not start work if shutdown is requested before it leads', async () => {
  const { time, calls, election } = scripted(AbortSignal.abort());
  await time.turn(10_000);
  expect([calls, await election.done]).toEqual([[], 'stopped']);
});

test('stops its work and reports the loss when it loses its lease', async () => {
  const { time, calls, election, settle, lose } = scripted(new AbortController().signal);
  await time.turn(100);
  lose();
  settle();
  await time.turn(30_000);
  expect([election.isLeading(), await election.done]).toEqual([false, 'lost']);
  expect([...calls].sort()).toEqual(['leads', 'lost', 'rests', 'works']);
});
