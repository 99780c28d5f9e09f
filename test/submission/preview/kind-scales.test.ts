import { parseManifest, type Workload } from '../../../lib/api';
import { scaleOf } from '../../../lib/submission/preview/kinds/kind-scales';
import { makeReplicatedJobSet } from '../../../lib/testing';

test('a set with several jobs scales by the parallelism of the job with the most pods', () => {
  const template = { spec: { containers: [{ name: 'app', image: 'registry.example.com/app:1.0.0' }] } };
  const workload = parseManifest(
    makeReplicatedJobSet({
      replicatedJobs: [
        { name: 'driver', shards: 3, template },
        { name: 'workers', replicas: 2, shards: 8, parallelism: 4, template },
      ],
    }),
  ) as Workload;
  expect(scaleOf(workload)).toEqual({ path: ['replicatedJobs', 1, 'parallelism'], current: 4, min: 1 });
});
