import * as constructs from '../../lib/constructs';
import { parseManifest, workloadKinds, type ManifestInput, type WorkloadKind } from '../../lib/api';
import * as testing from '../../lib/testing';

/** The compiler reports a kind without a construct or a builder. */
const constructNames: { readonly [K in WorkloadKind]: keyof typeof constructs & K } = {
  PinterestService: 'PinterestService',
  PinterestJobSet: 'PinterestJobSet',
  PinterestCronJob: 'PinterestCronJob',
  PinterestDaemon: 'PinterestDaemon',
  PinterestTrainingJob: 'PinterestTrainingJob',
  PinterestStatefulSet: 'PinterestStatefulSet',
};
const builders: { readonly [K in WorkloadKind]: () => ManifestInput<K> } = {
  PinterestService: testing.makeService,
  PinterestJobSet: testing.makeJobSet,
  PinterestCronJob: testing.makeCronJob,
  PinterestDaemon: testing.makeDaemon,
  PinterestTrainingJob: testing.makeTrainingJob,
  PinterestStatefulSet: testing.makeStatefulSet,
};

test.each(Object.keys(workloadKinds) as WorkloadKind[])(
  '%s has a construct and a builder of valid manifests',
  (kind) => {
    expect(constructs[constructNames[kind]]).toBeDefined();
    expect(parseManifest(builders[kind]()).kind).toBe(kind);
  },
);
