import { choicesToDeploy, choicesToRollBack, deployRequest, withOnlyOptions } from '../../lib/page/choices';
import { factsOf, warningOf } from '../../lib/page/check-facts';
import { type DeploymentPreview } from '../../lib/contract';
import { playedAnswers } from './played-answers';
import { makeDeployment, makeSampleWorld } from './sample-world';

const world = makeSampleWorld(0);
const values = (options: readonly { readonly value: string }[]): string[] => options.map(({ value }) => value);

test('what leaves no choice is chosen', () => {
  const choose = (choice: { project: string; version?: string }) =>
    withOnlyOptions(choice, (given) => choicesToDeploy(world.versions, given));
  expect(choose({ project: 'shop' })).toEqual({ project: 'shop', workflow: 'cart' });
  expect(values(choicesToDeploy(world.versions, { workflow: 'cart', version: '1.4.2' }).stages)).toEqual([
    'staging',
    'prod',
  ]);
});

test('one can go back to what was Ready before in the stage, each version once, and not to what is there', () => {
  const past = ['1.4.2', '1.4.1', '1.4.2', '1.4.1', '1.4.0'].map((version, place) =>
    makeDeployment(9 - place, { version }),
  );
  const staged = makeDeployment(3, { version: '2.0.0', stage: 'staging' });
  const { versions, stages } = choicesToRollBack([...past, staged], { workflow: 'cart', stage: 'prod' });
  expect(values(versions)).toEqual(['1.4.1', '1.4.0']);
  expect(values(stages)).toEqual(['prod', 'staging']);
});

test('nothing is asked for while something is left to choose', () => {
  const whole = { project: 'shop', workflow: 'cart', version: '1.4.2', stage: 'prod' };
  expect(deployRequest(whole)).toEqual({ artifact: 'shop/cart@1.4.2', stage: 'prod' });
  expect(deployRequest({ ...whole, stage: undefined as never })).toBeUndefined();
  expect(deployRequest(whole, 'it burns')).toMatchObject({ breakGlass: 'it burns' });
});

test('a confirmation names what happens on which clusters, and what is out of the ordinary', () => {
  const preview = playedAnswers.preview(world, {
    params: {},
    query: {},
    body: { artifact: 'shop/cart@1.4.2', stage: 'prod' },
  }) as DeploymentPreview;
  expect(factsOf({ ...preview, decision: 'queue' })).toEqual([
    'On use1-prod and usw2-prod, 1 workload changes: service cart.',
    'On use1-prod and usw2-prod, pods are replaced of service cart.',
    'On use1-prod and usw2-prod, 1 workload is removed: job set cart-backfill.',
    'It waits in the queue until there is enough quota.',
  ]);
  expect(warningOf(preview, 'it burns')).toMatch(/Break-glass.*prod.*it burns.*cart-backfill/);
  const same = preview.targets.map((target) => ({
    ...target,
    changes: target.changes.filter(({ change }) => change === 'unchanged'),
  }));
  expect(factsOf({ ...preview, targets: same })).toEqual(['On use1-prod and usw2-prod, nothing changes.']);
  expect(warningOf({ ...preview, targets: same }, undefined)).toBeUndefined();
});
