import { externalLink, parseWebUrl } from '../../../lib/page/elements/external-link';
import { pathText, problemList, valueText } from '../../../lib/page/elements/problem-list';
import { quotaBars } from '../../../lib/page/elements/quota-bars';
import { applyChanges, emptyInventory } from '../../../lib/page/state/inventory';
import { type Actions, initialState } from '../../../lib/page/state/state';
import { deploymentsView } from '../../../lib/page/views/deployments-view';
import { previewReport } from '../../../lib/page/views/preview-report';
import { allOf, textOf } from '../fake-browser';
import { makeDeployment } from '../sample-data';

test.each([
  'javascript:alert(1)',
  ' javascript:alert(1)',
  'data:text/html,x',
  '//evil.example',
  'ftp://a',
  'https://',
  '',
])('%j is not rendered as a link', (address) => {
  expect(parseWebUrl(address)).toBeUndefined();
  expect(allOf(externalLink(address, 'Dashboard'), 'a')).toEqual([]);
});

test('a web address is a link that sends no referrer', () => {
  const link = externalLink('https://dash.example.com/a?b=c', 'Dashboard');
  expect(link.props).toEqual({ href: 'https://dash.example.com/a?b=c', rel: 'noreferrer' });
  expect(textOf(link)).toBe('Dashboard');
});

test('an incomplete list of deployments shows that more are loading', () => {
  const now = Date.parse('2026-11-22T08:00:00Z');
  const deployment = makeDeployment(1, { project: 'shop', workflow: 'cart' });
  const inventory = applyChanges(emptyInventory, [{ type: 'deployment', deployment }]);
  const textOfView = (loading: boolean): string => {
    const state = { ...initialState({ page: 'deployments', filter: {} }, now), inventory, listing: { loading } };
    return textOf(deploymentsView(state, {}, {} as Actions));
  };
  expect(textOfView(true)).toMatch(/shop\/cart.*Loading…/);
  expect(textOfView(false)).toMatch(/shop\/cart/);
  expect(textOfView(false)).not.toMatch(/Loading/);
});

test('a quota bar has all of its values as text beside it', () => {
  const bars = quotaBars([
    {
      resource: 'requests.cpu',
      hard: '100',
      used: '91500m',
      promised: '97',
      level: 'nearly-full',
      fullOn: '2026-12-02',
    },
  ]);
  expect(textOf(bars)).toMatch(
    /^CPU requestsNearly full, full on .*2026.*91.5 cores used, 97 cores at peak, of 100 cores$/,
  );
  const [bar] = allOf(bars, 'span').filter(({ props }) => props['aria-hidden'] === 'true');
  expect(bar?.children.map((child) => typeof child !== 'string' && child.props.style)).toEqual([
    { width: '97.0%' },
    { width: '91.5%' },
  ]);
});

test('a preview lists amounts that do not fit first, and unlimited ones last', () => {
  const amounts = (resource: string, more: object = {}) => ({
    ...{ resource, requested: '3', now: '1', usedByOthers: '1', hard: '10', available: '9', fits: true },
    ...more,
  });
  const { hard: _hard, available: _available, ...unbounded } = amounts('configmaps');
  const report = previewReport({
    artifact: 'shop/cart@1.4.2',
    digest: `sha256:${'0'.repeat(64)}`,
    stage: 'prod',
    decision: 'refuse',
    problems: [],
    targets: [
      {
        target: 'one',
        resources: [unbounded, amounts('requests.cpu'), amounts('pods', { fits: false })],
        ...{ fits: false, changes: [], problems: [] },
      },
    ],
  });
  const heads = allOf(report, 'th').filter(({ props }) => props.scope === 'row');
  expect(heads.map(textOf)).toEqual(['Pods', 'CPU requests', 'configmaps']);
});

test('a problem is shown with its path, value, reason and remedy', () => {
  const list = problemList([
    {
      code: 'out-of-range',
      path: ['spec', 'containers', 0, 'a b'],
      value: 7,
      reason: 'it is too great',
      remedy: 'use 5',
    },
  ]);
  expect(list && textOf(list)).toBe('Error spec.containers[0]["a b"] 7it is too great.Fix: use 5.out-of-range');
  expect(problemList([])).toBeUndefined();
  expect(pathText([])).toBe('');
  expect(valueText('x'.repeat(500))).toHaveLength(118);
});
