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
