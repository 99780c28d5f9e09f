import fc from 'fast-check';
import { type ProblemResponse } from '../../../lib/submission';
import { members, service, Setting, stage, type Replica } from './setting';

/** Concurrent requests of several processes: the CPU that each asks for, and whether it sees the others' writes. */
const wish = fc.record({ by: fc.nat(2), cpu: fc.integer({ min: 1, max: 6 }), hears: fc.boolean() });

test.each(['Reject', 'Queue'] as const)(
  'however many processes admit deployments at once, their reservations together are within the quota: %s',
  async (onQuotaExceeded) => {
    await fc.assert(
      fc.asyncProperty(fc.array(wish, { minLength: 4, maxLength: 9 }), async (wishes) => {
        const setting = new Setting();
        try {
          setting.main.put('shop', { members: [...members], quota: { 'requests.cpu': '10' }, onQuotaExceeded });
          const replicas = [0, 1, 2].map(() => setting.replica({ leads: false }));
          const takers = await Promise.all(replicas);
          const artifacts = await Promise.all(
            wishes.map(({ cpu }, index) => {
              const name = `w${index}`;
              return setting.publishing.publish('shop', '1.0.0', [service(name, `${cpu}`)], [stage()], name);
            }),
          );
          const outcomes = await Promise.allSettled(
            wishes.map(({ by, hears }, index) => {
              const taker = takers[by] as Replica;
              if (hears) taker.client.deliver();
              else taker.client.hold();
              return setting.deploy(taker, artifacts[index] ?? '');
            }),
          );
          for (const { client } of takers) client.deliver();
          const [{ open }] = takers.map(({ state }) => state.ledger('shop')) as [
            ReturnType<Replica['state']['ledger']>,
          ];
          const cpuOf = (version: (typeof open)[number]): number => {
            const asked = wishes[Number(version.workflow.slice(1))];
            return asked?.cpu ?? 0;
          };
          const promised = open.filter(({ waits }) => !waits).reduce((sum, one) => sum + cpuOf(one), 0);
          expect(promised).toBeLessThanOrEqual(10);
          const accepted = outcomes.filter(({ status }) => status === 'fulfilled').length;
          expect(open).toHaveLength(accepted);
          for (const one of outcomes)
            if (one.status === 'rejected')
              expect((one.reason as ProblemResponse).details.title).toBe('It exceeds the quota');
          // No deployment is queued that fits beside all reservations.
          const least = Math.min(
            ...wishes.flatMap(({ cpu }, index) => (outcomes[index]?.status === 'rejected' ? [cpu] : [])),
          );
          expect(promised + least).toBeGreaterThan(10);
          if (onQuotaExceeded === 'Queue') expect(accepted).toBe(wishes.length);
        } finally {
          await setting.stop();
        }
      }),
      { numRuns: 12 },
    );
  },
  120_000,
);
