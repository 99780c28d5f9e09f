import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadAll } from 'js-yaml';
import { parseManifest, type ManifestInput, type PlatformManifest, type Spec, type Workload } from '../../../lib/api';
import {
  defaultPlatform,
  defaultProfile,
  expand,
  manifestsOfRevision,
  platformRevisionName,
  platformRevisionOf,
  resolvePlatform,
  type PlatformContext,
} from '../../../lib/expand';

const folder = join(__dirname, '..', '..', 'golden');
const cases = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const documents = (path: string): readonly ManifestInput[] =>
  existsSync(path) ? (loadAll(readFileSync(path, 'utf8')) as ManifestInput[]) : [];

/** Returns a revision as the API server stores it. */
const stored = (spec: Spec<'PlatformRevision'>) => JSON.parse(JSON.stringify(spec)) as Spec<'PlatformRevision'>;

/** Returns the cluster of a revision, with the other documents of the present one. */
const clusterAt = (present: PlatformContext, others: readonly PlatformManifest[]): PlatformContext =>
  resolvePlatform([...manifestsOfRevision(present.platform, stored(platformRevisionOf(present).spec)), ...others]);

test.each(cases)('a revision expands the golden case %s like the Platform that it came from', (name) => {
  const at = (file: string) => documents(join(folder, name, file)).map((input) => parseManifest(input));
  const platform = at('platform.yaml') as PlatformManifest[];
  const workloads = at('input.yaml') as Workload[];
  const cluster = resolvePlatform(platform);
  const recorded = clusterAt(
    cluster,
    platform.filter(({ kind }) => kind === 'Project'),
  );
  const objects = ({ project }: PlatformContext) =>
    workloads.flatMap((workload) => expand(workload, project(workload.metadata.namespace)));
  expect(objects(recorded)).toEqual(objects(cluster));
  expect(objects(cluster).length).toBeGreaterThan(0);
  expect(platformRevisionOf(recorded)).toEqual(platformRevisionOf(cluster));
});

const platformWith = (spec: Partial<ManifestInput<'Platform'>['spec']>): PlatformContext =>
  resolvePlatform([
    parseManifest({ ...defaultPlatform, spec: { ...defaultPlatform.spec, ...spec } }),
    parseManifest(defaultProfile),
  ]);

describe('the revision of a Platform', () => {
  const first = platformWith({});
  const revision = platformRevisionOf(first);

  it('has the name that its content stands for', () => {
    expect(revision.name).toBe(platformRevisionName(stored(revision.spec)));
    expect(revision.name).toMatch(/^rev-[0-9a-z]+$/);
  });

  it('is another one if a fact changes that shapes objects, and the same if another one changes', () => {
    const nameWith = (spec: Partial<ManifestInput<'Platform'>['spec']>) => platformRevisionOf(platformWith(spec)).name;
    expect(nameWith({ defaultTier: 'critical' })).not.toBe(revision.name);
    expect(nameWith({ environment: 'staging' })).not.toBe(revision.name);
    expect(nameWith({ rollouts: { maxFailures: 3 } })).toBe(revision.name);
    expect(nameWith({ kubernetesVersion: '1.36' })).toBe(revision.name);
  });

  it('is the same after a newer library has added a default', () => {
    // A field with its default is what a newer API server stores of what was written without it.
    const { platform } = first;
    const fields = Object.keys(platform.spec).filter((field) => !(field in defaultPlatform.spec));
    expect(fields.length).toBeGreaterThan(0);
    for (const field of fields) expect(revision.spec.platform).not.toHaveProperty(field);
    const written = platformRevisionOf({ ...first, platform: parseManifest(defaultPlatform) });
    expect(written.name).toBe(revision.name);
  });

  it('leaves facts of the cluster to the present Platform', () => {
    const present = platformWith({ kubernetesVersion: '1.36', environment: 'staging' });
    const [platform] = manifestsOfRevision(present.platform, stored(revision.spec));
    expect(platform?.spec).toMatchObject({ kubernetesVersion: '1.36', environment: first.platform.spec.environment });
  });
});
