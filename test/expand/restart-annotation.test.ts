import { metadataKeys, parseManifest, traitsOf, type Workload } from '../../lib/api';
import { expand, type KubernetesObject } from '../../lib/expand';
import {
  makeCronJob,
  makeDaemon,
  makeJobSet,
  makeProjectContext,
  makeService,
  makeStatefulSet,
  makeTrainingJob,
} from '../../lib/testing';

const key = metadataKeys.restart;
const time = '2026-11-23T10:00:00Z';
const workloads = [makeService(), makeStatefulSet(), makeDaemon(), makeJobSet(), makeCronJob(), makeTrainingJob()];
const context = makeProjectContext({ project: { infrastructure: true } });

const objectsOf = (workload: (typeof workloads)[number], annotations = {}): readonly KubernetesObject[] =>
  expand(parseManifest({ ...workload, metadata: { ...workload.metadata, annotations } }) as Workload, context);

test.each(workloads.map((workload) => [workload.kind, workload] as const))(
  'the restart annotation of a %s changes the pod template if its pods run until replaced, and nothing else',
  (kind, workload) => {
    const plain = objectsOf(workload);
    const restarted = objectsOf(workload, { [key]: time });
    const isRestartable = traitsOf(kind).lifecycle === 'Continuous';
    const changed = restarted.filter((object, index) => JSON.stringify(object) !== JSON.stringify(plain[index]));
    expect(changed.map((object) => object.kind)).toEqual(
      isRestartable ? [expect.stringMatching(/^(Deployment|StatefulSet|DaemonSet)$/)] : [],
    );
    for (const { metadata, spec } of changed) {
      expect(metadata.annotations ?? {}).not.toHaveProperty([key]);
      expect(spec).toHaveProperty(['template', 'metadata', 'annotations', key], time);
    }
  },
);
