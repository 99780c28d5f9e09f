import { apiVersion, parseManifest, type PlatformManifest, type SpecInput } from '../../lib/api';
import { stageClusterProblems } from '../../lib/artifact';

const publishers = [
  { issuer: 'https://ci.example.com', repository: 'commerce/shop', ref: 'refs/heads/main', keys: ['A'.repeat(44)] },
];
const projectOf = (stages?: SpecInput<'Project'>['stages']) =>
  parseManifest({
    apiVersion,
    kind: 'Project',
    metadata: { name: 'shop' },
    spec: { team: 'commerce', ...(stages && { stages }) },
  }) as PlatformManifest<'Project'>;
const production = { name: 'production', clusters: ['prod-1', 'prod-2'], publishers };
const reasons = (stages: SpecInput<'Project'>['stages'], name: string, targets: readonly string[]) =>
  stageClusterProblems(projectOf(stages), { name, targets }).map(
    ({ path, value, reason }) => `${path.join('.')} ${String(value)} ${reason}`,
  );

test('a protected stage deploys to its own clusters, and to no others', () => {
  expect(reasons([production], 'production', ['prod-1', 'prod-2'])).toEqual([]);
  expect(reasons([production], 'production', ['prod-1', 'test-1'])).toEqual([
    'targets.1 test-1 is not a cluster of stage production in the Project',
  ]);
});

test('another stage may not deploy to the clusters of a protected stage, with or without clusters of its own', () => {
  const belongs = (name: string) =>
    `prod-2 belongs to stage production of the Project, which is protected; stage ${name} may not deploy there`;
  const open = { name: 'staging' };
  const bound = { name: 'test', clusters: ['test-1'] };
  const stages = [open, bound, production];
  expect(reasons(stages, 'staging', ['staging-1', 'prod-2'])).toEqual([`targets.1 ${belongs('staging')}`]);
  expect(reasons(stages, 'test', ['prod-2', 'test-1', 'staging-1'])).toEqual([
    `targets.0 ${belongs('test')}`,
    'targets.2 staging-1 is not a cluster of stage test in the Project',
  ]);
});

test('stages without protection and clusters deploy anywhere', () => {
  expect(reasons([{ name: 'staging' }], 'staging', ['prod-1'])).toEqual([]);
  expect(reasons(undefined, 'staging', ['prod-1'])).toEqual([]);
});

test('names the clusters that the stage may use', () =>
  expect(stageClusterProblems(projectOf([production]), { name: 'production', targets: ['test-1'] })).toMatchObject([
    {
      code: 'not-available',
      object: 'Project shop',
      remedy: 'use prod-1 or prod-2, or ask the platform team to change spec.stages of the Project',
    },
  ]));
