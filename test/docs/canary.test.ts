import { canaryKinds, canarySteps, stepsOf } from '../../lib/operations';
import { canaryDeploymentPaths, canaryVariables } from '../../lib/programs';
import { pageText, tableOf } from './page-tables';

const page = pageText('canary.md');

test('its table of steps lists the deployment paths that run each step of each kind', () => {
  const expected = canarySteps.map((step) => [
    `\`${step}\``,
    ...canaryKinds.map((kind) => {
      const paths = canaryDeploymentPaths.filter((path) => stepsOf(kind, path).includes(step));
      return paths.length === canaryDeploymentPaths.length ? 'all' : paths.length === 0 ? '' : 'not synth';
    }),
  ]);
  expect(tableOf(page, 'steps')).toEqual(expected);
});

test('its table of variables has every variable with its description', () => {
  expect(tableOf(page, 'variables')).toEqual(
    Object.entries(canaryVariables).map(([name, sentence]) => [`\`${name}\``, sentence]),
  );
});
