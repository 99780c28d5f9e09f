import { parseManifest, deploymentKeys, metadataKeys, type Workload } from '../../lib/api';
import { expand } from '../../lib/expand';
import { makeService, makeProjectContext } from '../../lib/testing';

test('deployment annotations of a workload are not copied to its objects, so that no pod is replaced for them', () => {
  const plain = makeService();
  const marked = {
    ...plain,
    metadata: {
      ...plain.metadata,
      labels: { 'example.com/area': 'checkout', [metadataKeys.workflow]: 'cart', [metadataKeys.stage]: 'production' },
      annotations: {
        [metadataKeys.artifact]: 'shop/cart@1.4.2',
        [metadataKeys.artifactDigest]: 'x',
        [metadataKeys.deploymentSequence]: '7',
      },
    },
  };
  const objects = expand(parseManifest(marked) as Workload, makeProjectContext());
  const text = JSON.stringify(objects);
  expect(deploymentKeys.filter((key) => text.includes(key))).toEqual([]);
  expect(objects[0]?.metadata.labels).toMatchObject({ 'example.com/area': 'checkout' });
});
