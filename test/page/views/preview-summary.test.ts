import { type DeploymentPreview } from '../../../lib/contract';
import { previewEffects, previewWarning } from '../../../lib/page/views/preview-summary';
import { fakeResponses } from '../fake-responses';
import { makeSampleData } from '../sample-data';

test('a confirmation names the operation, the clusters and exceptional conditions', () => {
  const preview = fakeResponses.preview(makeSampleData(0), {
    params: {},
    query: {},
    body: { artifact: 'shop/cart@1.4.2', stage: 'prod' },
  }) as DeploymentPreview;
  expect(previewEffects({ ...preview, decision: 'queue' })).toEqual([
    'On use1-prod and usw2-prod, 1 workload changes: service cart.',
    'On use1-prod and usw2-prod, pods of service cart are replaced.',
    'On use1-prod and usw2-prod, 1 workload is removed: job set cart-backfill.',
    'The deployment is queued until enough quota is available.',
  ]);
  expect(previewWarning(preview, 'production outage')).toMatch(/Break-glass.*prod.*production outage.*cart-backfill/);
  const same = preview.targets.map((target) => ({
    ...target,
    changes: target.changes.filter(({ change }) => change === 'unchanged'),
  }));
  expect(previewEffects({ ...preview, targets: same })).toEqual(['On use1-prod and usw2-prod, nothing changes.']);
  expect(previewWarning({ ...preview, targets: same }, undefined)).toBeUndefined();
});
