import { type ClusterRolloutsView, type WorkloadDetail } from '../../../lib/contract';
import { type VNode } from '../../../lib/page/dom/vnode';
import { initialState, type State } from '../../../lib/page/state/state';
import { startApp } from '../../../lib/page/app';
import { applyEntries } from '../../../lib/page/state/collection';
import { projectEntry } from '../../../lib/page/state/inventory';
import { overviewView } from '../../../lib/page/views/overview-view';
import { rolloutsView } from '../../../lib/page/views/rollouts-view';
import { workloadView } from '../../../lib/page/views/workload-view';
import { allOf, FakeBrowser, textOf } from '../fake-browser';
import { makeSampleData, sampleNow } from '../sample-data';

const { projects, rollouts: sample } = makeSampleData(10);
const [paused, completed, without] = sample;
if (!paused?.current || !completed?.current || !without) throw new Error('the sample has three clusters');
const { current } = paused;
const noFindings = completed.current.failed;

const stateWith = (rollouts: State['rollouts']): State => {
  const state = initialState({ page: 'rollouts' }, sampleNow);
  const shop = applyEntries(state.inventory.projects, projects.filter(({ name }) => name === 'shop').map(projectEntry));
  return { ...state, inventory: { ...state.inventory, projects: shop }, rollouts };
};
const shown = (...value: readonly ClusterRolloutsView[]): VNode => rolloutsView(stateWith({ status: 'loaded', value }));
const linksOf = (view: VNode): unknown[] => allOf(view, 'a').map(({ props }) => props.href);

test('shows phase, reason, message and next step, waves with counts and times, and the last rollouts', () => {
  const text = textOf(shown(paused));
  expect(text).toMatch(/Cluster use1-prod.*Paused rollout-5d0c1b2a3f.*Emergency/);
  expect(text).toMatch(/Stalled.*not ready 30m after their release.*Next stepIt continues by itself/);
  expect(text).toMatch(/37 of 412 workloads completed.*Wave(.*)early \(2 of 3\)/);
  expect(text).toMatch(/firstCompleted12 of 122 hours ago1 hour ago50 minutes ago/);
  expect(text).toMatch(/restPending0 of 320–––/);
  expect(text).toMatch(/Last rollouts.*rollout-5d0c1b2a3f.*rollout-41aa00ff93Completed410 of 410rev-41aa00ff93/);
});

test('lists workloads in transit with project and age, and links only those that the user can open', () => {
  const view = shown(paused);
  const text = textOf(view);
  expect(text).toMatch(/In transit \(4\)shopcart servicewave early, released 40 minutes ago3 workloads of projects/);
  expect(text).toMatch(/Failed \(1\)shopcheckout serviceAppCrashLoop: container app exits with code 1/);
  expect(text).toMatch(/Blocked \(1\)1 workload of projects that you are not a member of/);
  expect(linksOf(view)).toEqual([
    '#/workloads/shop/use1-prod/PinterestService/cart',
    '#/workloads/shop/use1-prod/PinterestService/checkout',
  ]);
  const [cart] = current.transit.listed;
  if (!cart) throw new Error('the sample has a workload in transit');
  const foreign = {
    ...current,
    transit: { listed: [{ ...cart, project: 'ads' }], hidden: 0 },
    failed: noFindings,
  };
  const seen = shown({ ...paused, current: foreign });
  expect([textOf(seen).includes('adscart service'), linksOf(seen)]).toEqual([true, []]);
});

test('a rollback shows the cause, with the workloads that failed before it', () => {
  const cause = { name: 'rollout-41', reason: 'WorkloadsFail', message: '2 workloads failed', failed: current.failed };
  const text = textOf(shown({ ...paused, current: { ...current, rollbackOf: 'rollout-41', cause } }));
  expect(text).toMatch(/Rollback of rollout-41.*Causerollout-41: WorkloadsFail: 2 workloads failed/);
  expect(text).toMatch(/Failed before the rollback \(1\)shopcheckout serviceAppCrashLoop/);
});

test('says why a cluster has no rollout, and that they could not be loaded', () => {
  expect(textOf(shown(without))).toContain('The Platform has no rollouts');
  expect(textOf(shown({ ...without, enabled: true }))).toContain('has not recorded a revision');
  expect(textOf(shown({ ...without, enabled: true, completed: 'rev-1' }))).toContain('workloads follow revision rev-1');
  const failed = { status: 'failed', failed: { kind: 'unreachable' } } as const;
  expect(textOf(rolloutsView(stateWith(failed)))).toContain('Could not load rollouts');
  expect(textOf(rolloutsView(stateWith(undefined)))).toContain('Loading…');
});

test.each([
  ['Pending', 'note'],
  ['Progressing', 'note'],
  ['Paused', 'note'],
  ['Failed', 'note error'],
  ['Aborted', undefined],
  ['RolledBack', undefined],
  ['Completed', undefined],
] as const)('the overview has a banner for a rollout that is open or failed: %s', (phase, expected) => {
  const value = [{ ...paused, current: { ...current, phase } }, without];
  const view = overviewView(stateWith({ status: 'loaded', value }), []);
  const notes = allOf(view, 'p').filter(({ props }) => String(props.class).startsWith('note'));
  expect(notes.map(({ props }) => props.class)).toEqual(expected === undefined ? [] : [expected]);
  expect(linksOf(view).includes('#/rollouts')).toBe(expected !== undefined);
  if (expected !== undefined)
    expect(textOf(view)).toMatch(/of the Platform on use1-prod, wave early: 37 of 412 workloads completed, Stalled\./);
});

describe('the view of a workload', () => {
  const route = {
    page: 'workload',
    project: 'shop',
    target: 'use1-prod',
    kind: 'PinterestService',
    name: 'cart',
  } as const;
  const textWith = (revision: WorkloadDetail['revision']): string => {
    const value: WorkloadDetail = {
      ...{ project: 'shop', target: 'use1-prod', kind: 'PinterestService', name: 'cart', ready: true },
      ...{ links: {}, children: {}, hosts: [], spec: {}, ...(revision && { revision }) },
    };
    return textOf(workloadView({ ...stateWith(undefined), workload: { status: 'loaded', value } }, route));
  };
  const move = { rollout: 'rollout-2', to: 'rev-2' };

  test('names its revision, and whether a rollout will move it', () => {
    expect(textWith({ name: 'rev-1', current: 'rev-2', move: { ...move, state: 'waiting' } })).toMatch(
      /Platform revisionrev-1 \(the Platform has rev-2\)RolloutWill be moved to rev-2 rollout-2/,
    );
    const transit = { ...move, state: 'transit', wave: 'early', since: '2026-11-21T17:20:00Z' } as const;
    expect(textWith({ name: 'rev-1', current: 'rev-2', move: transit })).toMatch(
      /In transit to rev-2 in wave early, released 40 minutes ago rollout-2/,
    );
    expect(
      textWith({ name: 'rev-1', current: 'rev-2', move: { ...move, state: 'blocked', message: 'no tier' } }),
    ).toMatch(/Cannot be moved rollout-2no tier/);
  });

  test('says nothing about a rollout if none is open, and nothing without revisions', () => {
    const text = textWith({ name: 'rev-2', current: 'rev-2' });
    expect(text).toContain('Platform revisionrev-2 (that of the Platform)');
    expect(text).not.toContain('Rollout');
    expect(textWith(undefined)).not.toContain('Platform revision');
  });
});

test('the page refreshes rollouts periodically, and keeps them while the service does not respond', async () => {
  const rollouts = [paused];
  const browser = new FakeBrowser('#/', { rollouts });
  startApp(browser);
  await browser.settle();
  expect(browser.text).toContain('37 of 412 workloads completed');
  rollouts[0] = { ...paused, current: { ...current, completed: 40 } };
  await browser.refresh();
  expect(browser.text).toContain('40 of 412 workloads completed');
  browser.servesRollouts = false;
  await browser.refresh();
  expect(browser.text).toContain('40 of 412 workloads completed');
  browser.servesRollouts = true;
  rollouts[0] = completed;
  await browser.refresh();
  expect(browser.text).not.toMatch(/Rollout of the Platform|workloads completed/);
});
