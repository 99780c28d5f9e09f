import { previewReport } from '../../../lib/page/views/preview-report';
import { allOf, textOf } from '../fake-browser';

test('a preview lists amounts that do not fit first, and unlimited ones last', () => {
  const amounts = (resource: string, overrides: object = {}) => ({
    ...{ resource, requested: '3', now: '1', usedByOthers: '1', hard: '10', available: '9', fits: true },
    ...overrides,
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
  const rowHeaders = allOf(report, 'th').filter(({ props }) => props.scope === 'row');
  expect(rowHeaders.map(textOf)).toEqual(['Pods', 'CPU requests', 'configmaps']);
});
