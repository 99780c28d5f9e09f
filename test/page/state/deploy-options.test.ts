import { type DeploymentPreview } from '../../../lib/contract';
import {
  deployOptions,
  deployRequest,
  rollBackOptions,
  selectOnlyOptions,
} from '../../../lib/page/state/deploy-options';
import { previewEffects, previewWarning } from '../../../lib/page/views/preview-summary';
import { fakeResponses } from '../fake-responses';
import { makeDeployment, makeSampleData } from '../sample-data';

const sample = makeSampleData(0);
const values = (options: readonly { readonly value: string }[]): string[] => options.map(({ value }) => value);

test('a single option is selected', () => {
  const choose = (selection: { project: string; version?: string }) =>
    selectOnlyOptions(selection, (given) => deployOptions(sample.versions, given));
  expect(choose({ project: 'shop' })).toEqual({ project: 'shop', workflow: 'cart' });
  expect(values(deployOptions(sample.versions, { workflow: 'cart', version: '1.4.2' }).stages)).toEqual([
    'staging',
    'prod',
  ]);
});

test('a rollback offers the versions that were Ready before in the stage, each once, without the current one', () => {
  const past = ['1.4.2', '1.4.1', '1.4.2', '1.4.1', '1.4.0'].map((version, place) =>
    makeDeployment(9 - place, { version }),
  );
  const staged = makeDeployment(3, { version: '2.0.0', stage: 'staging' });
  const { versions, stages } = rollBackOptions([...past, staged], { workflow: 'cart', stage: 'prod' });
  expect(values(versions)).toEqual(['1.4.1', '1.4.0']);
  expect(values(stages)).toEqual(['prod', 'staging']);
});

test('no request is sent until everything is selected', () => {
  const whole = { project: 'shop', workflow: 'cart', version: '1.4.2', stage: 'prod' };
  expect(deployRequest(whole)).toEqual({ artifact: 'shop/cart@1.4.2', stage: 'prod' });
  expect(deployRequest({ ...whole, stage: undefined as never })).toBeUndefined();
  expect(deployRequest(whole, 'it burns')).toMatchObject({ breakGlass: 'it burns' });
});

test('a confirmation names the operation, the clusters and exceptional conditions', () => {
  const preview = fakeResponses.preview(sample, {
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
  expect(previewWarning(preview, 'it burns')).toMatch(/Break-glass.*prod.*it burns.*cart-backfill/);
  const same = preview.targets.map((target) => ({
    ...target,
    changes: target.changes.filter(({ change }) => change === 'unchanged'),
  }));
  expect(previewEffects({ ...preview, targets: same })).toEqual(['On use1-prod and usw2-prod, nothing changes.']);
  expect(previewWarning({ ...preview, targets: same }, undefined)).toBeUndefined();
});
