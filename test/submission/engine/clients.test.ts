import { type ClientDay } from '../../../lib/history';
import { apiBudgetUsage } from '../../../lib/quota';
import { daysOf, shareOf } from '../../history/client-days';
import { dev, EngineFixture, makeCaller, project } from './engine-fixture';

let fixture: EngineFixture;
afterEach(() => fixture.stop());

async function startWithClients() {
  fixture = new EngineFixture();
  const { engine } = await fixture.replica();
  const target = fixture.main;
  target.put('ads', { members: [{ kind: 'User', name: 'amy@example.com', role: 'view' }] });
  const today = Math.floor(fixture.clock.now() / 86_400_000);
  const record = (name: string, days: readonly ClientDay[]) =>
    target.recordedClients.set(name, { days, usage: apiBudgetUsage(days) });
  const violation = {
    ...{ practice: 'Polling', account: 'system:serviceaccount:shop:cart', userAgent: 'cart', verb: 'get' },
    ...{ resource: 'pods', namespace: '', requests: 40, seatSeconds: 4, message: 'cart polled pods' },
  };
  const last = { day: today, shares: [shareOf('server/one', 100, { violations: [violation] })] };
  record(project, [...daysOf(today - 59, Array<number>(59).fill(190)), last]);
  record('ads', daysOf(today, [3]));
  record('', daysOf(today, [1]));
  return { engine, list: async (caller: typeof dev) => (await engine.clients(caller, { limit: 100 })).items };
}

test('a member sees the clients of its own projects, with what they cost, violate and use of the budget', async () => {
  const { list } = await startWithClients();
  const found = await list(dev);
  expect(found.map((one) => one.project)).toEqual([project]);
  expect(found[0]).toMatchObject({
    target: 'main',
    team: 'commerce',
    clients: [{ account: 'system:serviceaccount:shop:cart', program: 'cart', mostly: 'list pods' }],
    violations: [{ practice: 'Polling', program: 'cart', message: 'cart polled pods' }],
  });
  expect(found[0]?.budget.map(({ field, used, limit, level }) => [field, used, limit, level])).toContainEqual([
    'requestsPerSecond',
    '190',
    '200',
    'nearly-full',
  ]);
});

test('the platform team sees all projects and accounts without one, and others nothing', async () => {
  const { list } = await startWithClients();
  expect((await list(makeCaller('ops@example.com', 'platform-oncall'))).map((one) => one.project)).toEqual([
    '',
    'ads',
    project,
  ]);
  expect((await list(makeCaller('amy@example.com'))).map((one) => one.project)).toEqual(['ads']);
  expect(await list(makeCaller('eve@example.com', 'platform'))).toEqual([]);
});
