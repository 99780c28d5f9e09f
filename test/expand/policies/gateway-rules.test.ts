import { apiVersion, parseManifest, type ManifestInput, type PlatformManifest } from '../../../lib/api';
import { defaultPlatform, resolvePlatform, safeExpand } from '../../../lib/expand';

const certificateAuthority = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';
const project = (name: string, spec: Partial<ManifestInput<'Project'>['spec']> = {}): ManifestInput<'Project'> => ({
  apiVersion,
  kind: 'Project',
  metadata: { name },
  spec: { team: name, ...spec },
});
const platformWith = (gateway?: object): ManifestInput<'Platform'> => ({
  ...defaultPlatform,
  spec: {
    ...defaultPlatform.spec,
    ...(gateway && { gateway: { address: '10.96.0.20', certificateAuthority, ...gateway } }),
  },
});

/** Returns the rules that a workload of a project breaks. */
function brokenRules(
  apiAccess: 'Gateway' | 'Direct' | true,
  namespace: string,
  gateway?: object,
): (string | undefined)[] {
  const documents = [platformWith(gateway), project('shop'), project('ci'), project('nodes', { infrastructure: true })];
  const cluster = resolvePlatform(documents.map((document) => parseManifest(document)) as PlatformManifest[]);
  const workload = parseManifest({
    apiVersion,
    kind: 'PinterestService',
    metadata: { name: 'cart', namespace },
    spec: {
      apiAccess,
      template: { spec: { containers: [{ name: 'app', image: 'registry.example.com/cart:1.0.0' }] } },
    },
  });
  return safeExpand(workload, cluster.project(namespace)).problems.map(({ rule }) => rule);
}

test('Gateway needs a gateway', () => {
  expect(brokenRules('Gateway', 'shop')).toEqual(['api-access-offered']);
  expect(brokenRules('Gateway', 'shop', {})).toEqual([]);
});

test('Direct is for infrastructure projects and those that the Platform lists, where there is a gateway', () => {
  expect(brokenRules('Direct', 'shop')).toEqual([]);
  expect(brokenRules('Direct', 'shop', { directProjects: ['ci'] })).toEqual(['api-access-offered']);
  expect(brokenRules('Direct', 'ci', { directProjects: ['ci'] })).toEqual([]);
  expect(brokenRules('Direct', 'nodes', { directProjects: [] })).toEqual([]);
});

test('stored workloads with true stay valid', () => {
  expect(brokenRules(true, 'shop')).toEqual([]);
  expect(brokenRules(true, 'shop', { directProjects: [] })).toEqual([]);
});
