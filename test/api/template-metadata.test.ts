import {
  apiVersion,
  crdOf,
  parseManifest,
  safeParseManifest,
  workloadKinds,
  type ManifestInput,
  type WorkloadKind,
} from '../../lib/api';
import { minimalSpec } from './minimal-spec';

const kinds = Object.keys(workloadKinds) as WorkloadKind[];
const volumes = (metadata?: object) => [
  {
    name: 'scratch',
    ephemeral: {
      volumeClaimTemplate: {
        ...(metadata && { metadata }),
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      },
    },
  },
];
const manifest = (kind: WorkloadKind, metadata: object | undefined, claim: object | undefined, top = {}) =>
  ({
    apiVersion,
    kind,
    metadata: { name: 'cart', namespace: 'shop', ...top },
    spec: minimalSpec(kind, {
      ...(metadata && { metadata }),
      spec: { containers: [{ name: 'app', image: 'example.com/app:1' }], volumes: volumes(claim) },
    }),
  }) as ManifestInput;

// `kubectl create --dry-run=client -o yaml` writes it in every template.
describe.each(kinds)('creationTimestamp: null in a template of a %s', (kind) => {
  const unset = { creationTimestamp: null };

  test('is accepted and dropped', () => {
    const { manifest: parsed, problems } = safeParseManifest(manifest(kind, unset, unset, unset));
    expect(problems).toEqual([]);
    expect(parsed?.spec).toEqual(parseManifest(manifest(kind, {}, {})).spec);
  });

  test('does not hide labels, annotations and the problems of other fields', () => {
    const metadata = { ...unset, labels: { a: 'b' } };
    expect(parseManifest(manifest(kind, metadata, undefined)).spec).toEqual(
      parseManifest(manifest(kind, { labels: { a: 'b' } }, undefined)).spec,
    );
    const { problems } = safeParseManifest(manifest(kind, { ...unset, uid: 'x' }, undefined));
    expect(problems.map(({ code, path }) => [code, path.at(-1)])).toContainEqual(['platform-owned', 'uid']);
  });

  test('a time is still one that the platform sets', () => {
    const { problems } = safeParseManifest(manifest(kind, { creationTimestamp: '2026-01-01T00:00:00Z' }, undefined));
    const found = new Set(problems.map(({ code, path }) => `${code} ${path.at(-1)}`));
    expect([...found]).toEqual(['platform-owned creationTimestamp']);
  });

  test('is in the schema of the definition', () => {
    expect(JSON.stringify(crdOf(kind))).toContain(
      '"creationTimestamp":{"type":"string","nullable":true,"maxLength":0}',
    );
  });
});
