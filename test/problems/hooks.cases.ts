import { caseBuilders, type Fields, type ProblemCase } from './problem-case';

const documentOf = (kind: string, more: Fields = {}) => ({
  apiVersion: 'pinterest.com/v1',
  kind,
  metadata: { name: 'cart', namespace: 'shop' },
  spec: { template: { spec: { containers: [{ name: 'app', image: 'registry.example.com/cart:2.7.0' }] } }, ...more },
});
const migrate = { name: 'migrate', command: ['/migrate'] };
const service = caseBuilders((hooks: unknown) => documentOf('PinterestService', { beforeDeployment: hooks }));
const set = caseBuilders((hooks: unknown) => documentOf('PinterestStatefulSet', { beforeDeployment: hooks }));
const whole = caseBuilders((spec: Fields) => documentOf('PinterestService', spec));

export const cases: readonly ProblemCase[] = [
  service.crdCase(
    'a hook that would start the app',
    [{ name: 'migrate' }],
    'required',
    'spec.beforeDeployment[0].command',
    'hook-command',
  ),
  set.crdCase(
    'a hook of a set that would start the app',
    [{ name: 'migrate' }],
    'required',
    'spec.beforeDeployment[0].command',
    'hook-command',
  ),
  service.crdCase('two hooks of one name', [migrate, migrate], 'duplicate', 'spec.beforeDeployment[1].name'),
  service.crdCase(
    'a hook with a reserved name',
    [{ ...migrate, name: 'pinion-logs' }],
    'platform-owned',
    'spec.beforeDeployment[0].name',
    'hook-name-reserved',
  ),
  service.crdCase(
    'a hook with a name in capitals',
    [{ ...migrate, name: 'Migrate' }],
    'bad-format',
    'spec.beforeDeployment[0].name',
  ),
  service.crdCase(
    'more than four hooks',
    ['a', 'b', 'c', 'd', 'e'].map((name) => ({ ...migrate, name })),
    'out-of-range',
    'spec.beforeDeployment',
  ),
  service.crdCase(
    'a hook with a security context of its own',
    [{ ...migrate, securityContext: { privileged: true } }],
    'unknown-field',
    'spec.beforeDeployment[0].securityContext',
  ),
  service.crdCase(
    'a hook with too many retries',
    [{ ...migrate, retries: 11 }],
    'out-of-range',
    'spec.beforeDeployment[0].retries',
  ),
  service.crdCase(
    'a hook with a deadline without a unit',
    [{ ...migrate, deadline: '30' }],
    'bad-format',
    'spec.beforeDeployment[0].deadline',
  ),
  service.pinionCase(
    'a hook with an invalid image',
    [{ ...migrate, image: 'https://example.com/cart' }],
    'bad-format',
    'spec.beforeDeployment[0].image',
    'hook-image',
  ),
  service.pinionCase(
    'a hook with a variable of the platform',
    [{ ...migrate, env: { PINION_TIER: 'high' } }],
    'platform-owned',
    'spec.beforeDeployment[0].env.PINION_TIER',
  ),
  service.pinionCase(
    'a secret in a variable of a hook',
    [{ ...migrate, env: { DATABASE_PASSWORD: 'hunter2hunter2' } }],
    'invalid-combination',
    'spec.beforeDeployment[0].env.DATABASE_PASSWORD',
    'literal-secret',
  ),
  service.pinionCase(
    'a hook with memory without a unit',
    [{ ...migrate, resources: { limits: { memory: '64' } } }],
    'out-of-range',
    'spec.beforeDeployment[0].resources.limits.memory',
    'memory-unit',
  ),
  service.pinionCase(
    'a hook that refers to an unknown variable',
    [{ ...migrate, args: ['$(DATABASE_HOST)'] }],
    'unknown-reference',
    'spec.beforeDeployment[0].args[0]',
    'variable-reference',
  ),
  service.pinionCase(
    'a hook whose image has no tag',
    [{ ...migrate, image: 'registry.example.com/migrations' }],
    'bad-format',
    'spec.beforeDeployment[0].image',
    'image-tag',
  ),
  whole.pinionCase(
    'a hook with the name of an init container',
    {
      beforeDeployment: [migrate],
      template: {
        spec: {
          initContainers: [{ name: 'migrate', image: 'registry.example.com/cart:2.7.0' }],
          containers: [{ name: 'app', image: 'registry.example.com/cart:2.7.0' }],
        },
      },
    },
    'duplicate',
    'spec.beforeDeployment[0].name',
    'hook-name-taken',
  ),
];
