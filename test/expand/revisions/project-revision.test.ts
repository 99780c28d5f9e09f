import { apiVersion, crdOf, parseManifest, type ManifestInput } from '../../../lib/api';
import { projectRevisionOf } from '../../../lib/expand';

type Spec = ManifestInput<'Project'>['spec'];

const nameWith = (spec: Partial<Spec>): string =>
  projectRevisionOf(
    parseManifest({ apiVersion, kind: 'Project', metadata: { name: 'shop' }, spec: { team: 'shop', ...spec } }),
  ).name;

/** Changes of the fields that pods take from their Project: each is another revision. */
const shaping: Partial<Spec> = { team: 'retail', costCenter: 'cc-7', podSecurity: 'baseline', defaultPool: 'large' };

/** Fields that say what a project may do, or are about its namespace and its people: they hold at once. */
const others = [
  ...['adopt', 'apiBudget', 'businessHours', 'exec', 'host', 'hosts', 'iamRoles', 'infrastructure', 'labels'],
  ...['links', 'maxContainer', 'members', 'onCall', 'onQuotaExceeded', 'quota', 'stages', 'tiers'],
];

test.each(Object.entries(shaping))('a change of %s is another revision', (field, value) => {
  expect(nameWith({ [field]: value })).not.toBe(nameWith({}));
});

test('other fields are no part of a revision', () => {
  expect(nameWith({ onCall: 'mailto:shop@example.com', quota: { pods: '10' } })).toBe(nameWith({}));
});

test('a default that is written is no other revision', () => {
  expect(nameWith({ podSecurity: 'restricted' })).toBe(nameWith({}));
});

test('each field of a Project either shapes pods or is known not to', () => {
  const [version] = crdOf('Project').spec.versions;
  const { openAPIV3Schema } = version?.schema as {
    readonly openAPIV3Schema: { readonly properties: { readonly spec: { readonly properties: object } } };
  };
  expect(Object.keys(openAPIV3Schema.properties.spec.properties).sort()).toEqual(
    [...Object.keys(shaping), ...others].sort(),
  );
});
