import { complete, deploymentKeys, keys, type Workload } from '../../lib/api';
import { expand } from '../../lib/expand';
import { makeService, makeWorld } from '../../lib/testing';

test('what a deployment notes on a workload reaches none of its objects, so that no pod is replaced for it', () => {
  const plain = makeService();
  const marked = {
    ...plain,
    metadata: {
      ...plain.metadata,
      labels: { 'example.com/area': 'checkout', [keys.workflow]: 'cart', [keys.stage]: 'production' },
      annotations: { [keys.artifact]: 'shop/cart@1.4.2', [keys.artifactDigest]: 'x', [keys.deploymentSequence]: '7' },
    },
  };
  const objects = expand(complete(marked) as Workload, makeWorld());
  const text = JSON.stringify(objects);
  expect(deploymentKeys.filter((key) => text.includes(key))).toEqual([]);
  expect(objects[0]?.metadata.labels).toMatchObject({ 'example.com/area': 'checkout' });
});
