import { parseManifest, type Workload } from '../../../lib/api';
import { expand } from '../../../lib/expand';
import { makeProjectContext, makeService } from '../../../lib/testing';

const container = { name: 'app', image: 'registry.example.com/app:1' };

test('labels of a workload never say what an object is for', () => {
  const keys = ['hook', 'variant', 'job', 'job-key', 'member'].map((key) => `pinterest.com/${key}`);
  const manifest = makeService({
    beforeDeployment: [{ name: 'migrate', command: ['/migrate'] }],
    variants: [{ name: 'canary', replicas: 1 }],
    template: { spec: { containers: [container] } },
  });
  const labeled = (labels: Readonly<Record<string, string>>) =>
    expand(
      parseManifest({ ...manifest, metadata: { ...manifest.metadata, labels } }) as Workload,
      makeProjectContext(),
    );
  const reserved = Object.fromEntries(keys.map((key) => [key, 'x']));
  expect(labeled({ ...reserved, surface: 'home' })).toEqual(labeled({ surface: 'home' }));
  expect(labeled({ surface: 'home' })[0]?.metadata.labels).toMatchObject({ surface: 'home' });
});
