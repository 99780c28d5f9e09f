import { type ProjectClientsView } from '../../../lib/contract';
import { initialState, type State } from '../../../lib/page/state/state';
import { clientsView } from '../../../lib/page/views/clients-view';
import { textOf } from '../fake-browser';
import { makeSampleData } from '../sample-data';

const now = Date.parse('2026-11-22T08:00:00Z');
const shown = (clients: State['clients']): string =>
  textOf(clientsView({ ...initialState({ page: 'clients' }, now), clients }));
const loaded = (value: readonly ProjectClientsView[]): string => shown({ status: 'loaded', value });

test('shows who sends what, what it costs, who is on call, and what to do', () => {
  const [shop] = makeSampleData(10).clients;
  if (!shop) throw new Error('the sample has projects');
  const text = loaded([{ ...shop, onCall: '#shop-oncall' }]);
  expect(text).toMatch(/Polling.*reader.*polled pods;.*watch the object instead/);
  expect(text).toMatch(/reader\s*system:serviceaccount:shop:reader\s*shop on use1-\w+\s*#shop-oncall\s*list pods/);
  expect(text).toMatch(/42,000 \+42 %.*900 −20 %/);
  expect(text).toMatch(/shop requestsPerSecond on use1-\w+\s*189 of 200, reached on/);
});

test('lists the most expensive clients first, whatever their project', () => {
  const { clients } = makeSampleData(10);
  const text = loaded([...clients].reverse());
  const costs = clients.flatMap((project) => project.clients.map(({ account }) => account));
  expect(text.indexOf(costs[0] ?? '')).toBeGreaterThan(-1);
  const table = text.slice(text.indexOf('Cost in seat-seconds'));
  expect(table.indexOf('serviceaccount:shop')).toBeLessThan(table.indexOf('serviceaccount:media'));
});

test('says that nothing is recorded, and that it could not be loaded', () => {
  expect(loaded([])).toContain('No clients recorded.');
  expect(shown({ status: 'failed', failed: { kind: 'unreachable' } })).toContain('Could not load clients');
  expect(shown(undefined)).toContain('Loading…');
});
