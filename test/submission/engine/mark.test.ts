import { type LiveObject } from '../../../lib/kube';
import { type ArtifactResource } from '../../../lib/artifact';
import { isDeployedBy, liveDigest, liveSequence, marked, markOf } from '../../../lib/submission/engine/mark';
import { createDeploymentRecord } from '../../../lib/submission/state/deployment-record';
import { digestOf, entry } from '../state/ledger-fixture';

const { deployment } = createDeploymentRecord('shop', entry({ sequence: 8 }));
const version = { version: '0.9.0', digest: digestOf('0.9.0') };
const resource = {
  apiVersion: 'pinterest.com/v1',
  kind: 'PinterestService',
  metadata: {
    name: 'web',
    namespace: 'shop',
    labels: { tier: 'front', 'pinterest.com/stage': 'forged' },
    annotations: { note: 'n', 'pinterest.com/deployment-sequence': '999' },
  },
  spec: { replicas: 1 },
} as unknown as ArtifactResource;

test('a workload is marked with its origin, and not changed otherwise', () => {
  const applied = marked(resource, markOf(deployment, entry()));
  expect(applied).toEqual({
    ...resource,
    metadata: {
      name: 'web',
      namespace: 'shop',
      labels: { tier: 'front', 'pinterest.com/workflow': 'web', 'pinterest.com/stage': 'prod' },
      annotations: {
        note: 'n',
        'pinterest.com/artifact': 'shop/web@1.0.0',
        'pinterest.com/artifact-digest': digestOf('1.0.0'),
        'pinterest.com/deployment-sequence': '8',
      },
    },
  });
  expect((resource.metadata as unknown as LiveObject['metadata']).labels?.['pinterest.com/stage']).toBe('forged');
});

test('a rollback has the number after that of the failed deployment, and its own version', () => {
  expect(markOf(deployment, version, true)).toEqual({
    intent: 'rollback',
    workflow: 'web',
    stage: 'prod',
    artifact: 'shop/web@0.9.0',
    digest: digestOf('0.9.0'),
    sequence: 9,
  });
});

test('a mark is read back from what was applied, and other objects have none', () => {
  const live = marked(resource, markOf(deployment, entry())) as LiveObject;
  expect([liveDigest(live), liveSequence(live)]).toEqual([digestOf('1.0.0'), 8]);
  expect([isDeployedBy(live, deployment), isDeployedBy(live, { ...deployment, stage: 'test' })]).toEqual([true, false]);
  expect(isDeployedBy(live, { ...deployment, workflow: 'other' })).toBe(false);
  const bare = { ...live, metadata: { ...live.metadata, labels: {}, annotations: {} } };
  expect([liveDigest(bare), liveSequence(bare), isDeployedBy(bare, deployment)]).toEqual([undefined, 0, false]);
  expect([liveDigest(undefined), liveSequence(undefined)]).toEqual([undefined, 0]);
});
