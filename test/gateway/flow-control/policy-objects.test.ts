import {
  maxAgesOf,
  platformBudgets,
  platformClientsOf,
  projectBudgetOf,
  projectBudgets,
} from '../../../lib/gateway/flow-control/policy-objects';
import { parseManifest } from '../../../lib/api';
import { defaultApiBudgets } from '../../../lib/gateway/flow-control/api-budget';
import { defaultPlatform } from '../../../lib/expand';

const parsed = (apiBudget?: object): ReturnType<typeof projectBudgetOf> =>
  projectBudgetOf({ metadata: { name: 'shop' }, spec: { team: 'shop', ...(apiBudget && { apiBudget }) } });

test('the defaults of the schema are those of the gateway', () => {
  const platform = platformClientsOf(parseManifest(defaultPlatform));
  expect(platformBudgets(platform, { project: none, serviceAccount: none, user: none })).toEqual(defaultApiBudgets);
  expect([platform.administrators, platform.breakGlass, platform.runtime.project]).toEqual([
    ['system:masters'],
    [],
    'pinion-system',
  ]);
});

const none = { requestsPerSecond: 0, concurrentRequests: 0, bytesPerSecond: 0 };

test('a Project overrides single limits', () => {
  expect(projectBudgets(parsed(), defaultApiBudgets)).toEqual({
    project: defaultApiBudgets.project,
    serviceAccount: defaultApiBudgets.serviceAccount,
  });
  expect(
    projectBudgets(parsed({ requestsPerSecond: 7, serviceAccount: { bytesPerSecond: '3Mi' } }), defaultApiBudgets),
  ).toEqual({
    project: { ...defaultApiBudgets.project, requestsPerSecond: 7 },
    serviceAccount: { ...defaultApiBudgets.serviceAccount, bytesPerSecond: 3 * 2 ** 20 },
  });
});

test('a Platform of an older definition leaves the budgets to the gateway', () => {
  const platform = platformClientsOf({ spec: { cluster: 'main' } });
  expect(platformBudgets(platform, defaultApiBudgets)).toEqual(defaultApiBudgets);
  expect(maxAgesOf(platform).size).toBe(0);
});

test('maximum ages are milliseconds by resource', () => {
  const platform = platformClientsOf(
    parseManifest({
      ...defaultPlatform,
      spec: {
        ...defaultPlatform.spec,
        boundedReads: [{ resource: 'pods' }, { resource: 'deployments.apps', maxAge: '1m30s' }],
      },
    }),
  );
  expect([...maxAgesOf(platform)]).toEqual([
    ['pods', 10_000],
    ['deployments.apps', 90_000],
  ]);
});

test('an object that is neither is rejected', () => {
  expect(() => projectBudgetOf({ metadata: {} })).toThrow();
  expect(() => platformClientsOf({})).toThrow();
});
