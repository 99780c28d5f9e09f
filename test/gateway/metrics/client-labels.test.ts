import { ClientNames } from '../../../lib/gateway/metrics/client-labels';

const account = (project: string, name: string): { user: string } => ({
  user: `system:serviceaccount:${project}:${name}`,
});

test('a client is its project, account and product', () => {
  const names = new ClientNames();
  expect(names.labelsOf(account('shop', 'cart'), 'cart-operator/v2.1 (linux/amd64) kubernetes/$Format')).toEqual({
    project: 'shop',
    account: 'cart',
    user_agent: 'cart-operator',
  });
  expect(names.labelsOf({ user: 'ann@example.com' }, undefined)).toEqual({
    project: '',
    account: 'ann@example.com',
    user_agent: '',
  });
});

test('a client that sends ever new user agents has few of them, and takes none from others', () => {
  const names = new ClientNames({ accounts: 10, accountsOfProject: 10, agentsOfAccount: 2 });
  const agents = new Set(
    Array.from({ length: 100 }, (_, index) => names.labelsOf(account('a', 'b'), `tool-${index}`).user_agent),
  );
  expect(agents).toEqual(new Set(['tool-0', 'tool-1', 'other']));
  expect(names.labelsOf(account('a', 'c'), 'tool-99').user_agent).toBe('tool-99');
});

test('a project that creates ever new accounts takes no names from other projects', () => {
  const names = new ClientNames({ accounts: 5, accountsOfProject: 2, agentsOfAccount: 2 });
  const accounts = Array.from({ length: 4 }, (_, index) => names.labelsOf(account('a', `account-${index}`), 'x'));
  expect(accounts.map((labels) => labels.account)).toEqual(['account-0', 'account-1', 'other', 'other']);
  expect(accounts.at(-1)).toEqual({ project: 'a', account: 'other', user_agent: 'other' });
  expect(names.labelsOf(account('b', 'c'), 'x').account).toBe('c');
});

test('clients beyond all bounds are one', () => {
  const names = new ClientNames({ accounts: 1, accountsOfProject: 2, agentsOfAccount: 2 });
  names.labelsOf(account('a', 'b'), 'x');
  expect(names.labelsOf(account('c', 'd'), 'x')).toEqual({ project: 'other', account: 'other', user_agent: 'other' });
});

test('combinations beyond those of a project have neither resource nor user agent, and take none from others', () => {
  const names = new ClientNames({ accounts: 10, accountsOfProject: 10, agentsOfAccount: 10, setsOfProject: 2 });
  const of = (project: string, resource: string): object =>
    names.boundedSet({ project, account: 'b', user_agent: 'tool', resource, verb: 'list' });
  const named = (project: string, resource: string): object => expect.objectContaining({ project, resource }) as object;
  expect(['pods', 'nodes', 'secrets', 'pods'].map((resource) => of('a', resource))).toEqual([
    named('a', 'pods'),
    named('a', 'nodes'),
    { project: 'a', account: 'b', user_agent: 'other', resource: 'other', verb: 'list' },
    named('a', 'pods'),
  ]);
  expect(of('c', 'secrets')).toEqual(named('c', 'secrets'));
});

test('there are two thousand combinations of a project', () => {
  const names = new ClientNames();
  const labels = { project: 'a', account: 'b', user_agent: 'tool' };
  const resources = Array.from({ length: 2_001 }, (_, index) => names.boundedSet({ ...labels, resource: `r${index}` }));
  expect(resources.slice(-2).map(({ resource }) => resource)).toEqual(['r1999', 'other']);
});
