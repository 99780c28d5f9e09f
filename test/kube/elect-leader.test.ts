import { electLeader } from '../../lib/kube';
import { LeaseStore } from './lease-store';
import { ManualClock } from './manual-clock';

/** Leader that records its calls, and whose work drains when `settle` is called. */
function startElection(stop: AbortSignal) {
  const time = new ManualClock();
  const store = new LeaseStore(time);
  const calls: string[] = [];
  let settle = (): void => undefined;
  const drained = new Promise<void>((resolve) => (settle = resolve));
  let isLost = false;
  const election = electLeader({
    client: store.client({ delay: () => 5, lost: () => isLost }),
    namespace: 'system',
    name: 'worker',
    identity: 'one',
    clock: time,
    stop,
    leader: {
      lead: () => void calls.push('started'),
      drain: () => drained.then(() => void calls.push('drained')),
    },
    onStartedLeading: () => calls.push('leads'),
    onLost: () => calls.push('lost'),
  });
  const holder = () => (store.lease?.['spec'] as { readonly holderIdentity?: string } | undefined)?.holderIdentity;
  return { time, calls, election, holder, settle, lose: () => void (isLost = true) };
}

test('releases the lease on shutdown after its work has stopped', async () => {
  const stop = new AbortController();
  const { time, calls, election, holder, settle } = startElection(stop.signal);
  await time.advance(100);
  expect([calls, holder(), election.isLeading()]).toEqual([['leads', 'started'], 'one', true]);
  stop.abort();
  await time.advance(1_000);
  expect(holder()).toBe('one');
  settle();
  await time.advance(100);
  expect([calls.at(-1), holder(), await election.done]).toEqual(['drained', '', 'stopped']);
});

test('does not start work if shutdown is requested before it leads', async () => {
  const { time, calls, election } = startElection(AbortSignal.abort());
  await time.advance(10_000);
  expect([calls, await election.done]).toEqual([[], 'stopped']);
});

test('stops its work and reports the loss when it loses its lease', async () => {
  const { time, calls, election, settle, lose } = startElection(new AbortController().signal);
  await time.advance(100);
  lose();
  settle();
  await time.advance(30_000);
  expect([election.isLeading(), await election.done]).toEqual([false, 'lost']);
  expect([...calls].sort()).toEqual(['drained', 'leads', 'lost', 'started']);
});
