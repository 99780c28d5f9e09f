import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { safePlanClusterStack, safePlanPlatformStack, platformInputsOf } from '../../stacks/plan';
import { plainPlatformInput } from './plan/platform/make-platform-input';

interface StackFile {
  readonly config: Readonly<Record<string, object>>;
}

const configOf = (stack: string): StackFile['config'] =>
  (load(readFileSync(join(__dirname, '../../stacks', `Pulumi.${stack}.yaml`), 'utf8')) as StackFile).config;

test('the configuration files of the example stacks have no problems', () => {
  const { stack, problems } = safePlanClusterStack(configOf('cluster-example')['pinion:cluster']);
  expect(problems).toEqual([]);
  if (!stack) throw new Error('no cluster was planned');
  const created = {
    zoneId: 'Z0123456789ABCDEFGHIJ',
    keyArn: plainPlatformInput.volumeKey ?? '',
    roles: plainPlatformInput.roles,
  };
  const inputs = platformInputsOf(stack, created);
  const platform = safePlanPlatformStack({ ...inputs, ...configOf('platform-example')['pinion:platform'] });
  expect(platform.problems).toEqual([]);
  expect(platform.stages?.length).toBeGreaterThan(5);
});
