import { type ManifestInput, parseManifest, type Workload } from '../../../lib/api';
import {
  createProjectContext,
  defaultPlatform,
  defaultProfile,
  expand,
  guardExpansion,
  type ExpansionRecord,
  type GuardInput,
} from '../../../lib/expand';

const apiVersion = 'pinterest.com/v1';
const now = Date.parse('2026-03-01T12:00:00Z');
const since = '2026-03-01T12:00:00Z';

interface Parts {
  readonly image?: string;
  readonly replicas?: number;
  readonly environment?: string;
  readonly release?: { readonly heldBefore: string; readonly projects?: string[] };
}

function guarded(recorded: ExpansionRecord | undefined, parts: Parts = {}, input: Partial<GuardInput> = {}) {
  const { image = 'registry.example.com/cart:1', replicas = 2, environment = 'dev', release } = parts;
  const runtime = release ? { expansionRelease: release } : {};
  const context = createProjectContext(
    parseManifest({ ...defaultPlatform, spec: { ...defaultPlatform.spec, environment, runtime } }),
    parseManifest(defaultProfile),
    parseManifest({ apiVersion, kind: 'Project', metadata: { name: 'shop' }, spec: { team: 'commerce' } }),
  );
  const manifest: ManifestInput<'PinterestService'> = {
    apiVersion,
    kind: 'PinterestService',
    metadata: { name: 'cart', namespace: 'shop' },
    spec: { replicas, template: { spec: { containers: [{ name: 'app', image }] } } },
  };
  const workload: Workload = parseManifest(manifest);
  const owned = [{ kind: 'Deployment' }, { kind: 'Service' }];
  const objects = expand(workload, context);
  return guardExpansion({ workload, objects, context, recorded, owned, ended: false, now, ...input });
}

const { record } = guarded(undefined);
/** Record of a version of the library that expanded other templates from the same inputs. */
const other: ExpansionRecord = { ...record, podTemplates: '1-other' };
const { record: held } = guarded(other);

test('without a record, as of a former version, the present templates are recorded', () => {
  expect(guarded(undefined)).toEqual({ record, isHeld: false });
  expect(guarded(record)).toEqual({ record, isHeld: false });
});

test('other templates from the same inputs hold the workload, and the record keeps the former ones', () => {
  expect(guarded(other)).toEqual({
    record: { ...other, held: { deployed: expect.any(String) as string, since } },
    isHeld: true,
  });
});

test('other templates from other inputs are intended', () => {
  for (const parts of [{ image: 'registry.example.com/cart:2' }, { replicas: 3 }, { environment: 'prod' }])
    expect(guarded(other, parts).isHeld).toBe(false);
});

test('a held workload stays so when the Platform changes or the workload scales, until it is deployed', () => {
  for (const parts of [{ replicas: 3 }, { environment: 'prod' }])
    expect(guarded(held, parts, { now: now + 60_000 })).toEqual({ record: held, isHeld: true });
  const deployed = guarded(held, { image: 'registry.example.com/cart:2' });
  expect([deployed.isHeld, deployed.record.held]).toEqual([false, undefined]);
});

test('a hold ends without a write when the former version returns', () => {
  expect(guarded({ ...held, podTemplates: record.podTemplates })).toEqual({ record, isHeld: false });
});

test('the Platform releases those that were held until a time, of all or of some projects', () => {
  expect(guarded(held, { release: { heldBefore: since } })).toEqual({ record, isHeld: false });
  expect(guarded(held, { release: { heldBefore: since, projects: ['shop'] } }).isHeld).toBe(false);
  expect(guarded(held, { release: { heldBefore: since, projects: ['search'] } }).isHeld).toBe(true);
  expect(guarded(held, { release: { heldBefore: '2026-03-01T11:59:59Z' } }).isHeld).toBe(true);
});

test('a release is no permission for later holds, whatever its time', () => {
  for (const heldBefore of ['2026-03-01T11:59:59Z', since, '2026-03-01T12:01:30Z', '2099-01-01T00:00:00Z']) {
    const release = { heldBefore };
    const releaseRecord = { heldBefore, since };
    const first = guarded(other, { release }, { now: now + 60_000, releaseRecord });
    const second = guarded(first.record, { release }, { now: now + 120_000, releaseRecord });
    expect([first.isHeld, second.isHeld]).toEqual([true, true]);
  }
});

test('a time in the future releases what is held when the Platform gets it', () => {
  const heldBefore = '2099-01-01T00:00:00Z';
  expect(guarded(held, { release: { heldBefore } }).isHeld).toBe(false);
  expect(guarded(held, { release: { heldBefore } }, { releaseRecord: { heldBefore, since } }).isHeld).toBe(false);
  // The record is that of an earlier release.
  const releaseRecord = { heldBefore: '2098-01-01T00:00:00Z', since: '2026-02-01T12:00:00Z' };
  expect(guarded(held, { release: { heldBefore } }, { releaseRecord }).isHeld).toBe(false);
});

test('nothing is held without pods to protect', () => {
  expect(guarded(other, {}, { owned: [{ kind: 'Service' }] }).isHeld).toBe(false);
  // The Job is that of a hook.
  expect(guarded(other, {}, { owned: [{ kind: 'Job' }] }).isHeld).toBe(false);
  expect(guarded(other, {}, { ended: true }).isHeld).toBe(false);
});

test('a hash of another form says nothing', () => {
  expect(guarded({ ...other, podTemplates: '0-other' }).isHeld).toBe(false);
});
