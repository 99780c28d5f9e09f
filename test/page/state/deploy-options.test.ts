import {
  deployOptions,
  deployRequest,
  rollBackOptions,
  selectOnlyOptions,
} from '../../../lib/page/state/deploy-options';
import { makeDeployment, makeSampleData } from '../sample-data';

const sample = makeSampleData(0);
const values = (options: readonly { readonly value: string }[]): string[] => options.map(({ value }) => value);

test('a single option is selected', () => {
  const select = (selection: { project: string; version?: string }) =>
    selectOnlyOptions(selection, (given) => deployOptions(sample.versions, given));
  expect(select({ project: 'shop' })).toEqual({ project: 'shop', workflow: 'cart' });
  expect(values(deployOptions(sample.versions, { workflow: 'cart', version: '1.4.2' }).stages)).toEqual([
    'staging',
    'prod',
  ]);
});

test('a rollback offers the versions that were Ready before in the stage, each once, without the current one', () => {
  const past = ['1.4.2', '1.4.1', '1.4.2', '1.4.1', '1.4.0'].map((version, index) =>
    makeDeployment(9 - index, { version }),
  );
  const staged = makeDeployment(3, { version: '2.0.0', stage: 'staging' });
  const { versions, stages } = rollBackOptions([...past, staged], { workflow: 'cart', stage: 'prod' });
  expect(values(versions)).toEqual(['1.4.1', '1.4.0']);
  expect(values(stages)).toEqual(['prod', 'staging']);
});

test('no request is sent until everything is selected', () => {
  const selection = { project: 'shop', workflow: 'cart', version: '1.4.2', stage: 'prod' };
  expect(deployRequest(selection)).toEqual({ artifact: 'shop/cart@1.4.2', stage: 'prod' });
  expect(deployRequest({ ...selection, stage: undefined as never })).toBeUndefined();
  expect(deployRequest(selection, 'production outage')).toMatchObject({ breakGlass: 'production outage' });
});
