import fc from 'fast-check';
import { type ProblemResponse } from '../../../lib/submission';
import { members, service, EngineFixture, stage, type Replica } from './engine-fixture';

/** Concurrent requests to several processes: the CPU that each requests, and whether it sees the others' writes. */
const anyRequest = fc.record({ by: fc.nat(2), cpu: fc.integer({ min: 1, max: 6 }), seesOthers: fc.boolean() });

test.each(['Reject', 'Queue'] as const)(
  'the total reservations of concurrently admitted deployments stay within the quota: %s',
  async (onQuotaExceeded) => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyRequest, { minLength: 4, maxLength: 9 }), async (requests) => {
        const fixture = new EngineFixture();
        try {
          fixture.main.put('shop', { members: [...members], quota: { 'requests.cpu': '10' }, onQuotaExceeded });
          const replicas = await Promise.all([0, 1, 2].map(() => fixture.replica({ leads: false })));
          const artifacts = await Promise.all(
            requests.map(({ cpu }, index) => {
              const name = `w${index}`;
              return fixture.publishing.publish('shop', '1.0.0', [service(name, `${cpu}`)], [stage()], name);
            }),
          );
          const outcomes = await Promise.allSettled(
            requests.map(({ by, seesOthers }, index) => {
              const replica = replicas[by] as Replica;
              if (seesOthers) replica.client.deliver();
              else replica.client.hold();
              return fixture.deploy(replica, artifacts[index] ?? '');
            }),
          );
          for (const { client } of replicas) client.deliver();
          const [{ open }] = replicas.map(({ state }) => state.ledger('shop')) as [
            ReturnType<Replica['state']['ledger']>,
          ];
          const cpuOf = (version: (typeof open)[number]): number => {
            const request = requests[Number(version.workflow.slice(1))];
            return request?.cpu ?? 0;
          };
          const reserved = open.filter(({ waits }) => !waits).reduce((sum, one) => sum + cpuOf(one), 0);
          expect(reserved).toBeLessThanOrEqual(10);
          const accepted = outcomes.filter(({ status }) => status === 'fulfilled').length;
          expect(open).toHaveLength(accepted);
          for (const one of outcomes)
            if (one.status === 'rejected')
              expect((one.reason as ProblemResponse).details.title).toBe('The deployment exceeds the quota');
          // No deployment is queued that fits beside all reservations.
          const smallest = Math.min(
            ...requests.flatMap(({ cpu }, index) => (outcomes[index]?.status === 'rejected' ? [cpu] : [])),
          );
          expect(reserved + smallest).toBeGreaterThan(10);
          if (onQuotaExceeded === 'Queue') expect(accepted).toBe(requests.length);
        } finally {
          await fixture.stop();
        }
      }),
      { numRuns: 12 },
    );
  },
  120_000,
);
