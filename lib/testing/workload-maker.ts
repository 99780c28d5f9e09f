import { apiVersion, type ManifestInput, type SpecInput, type WorkloadKind } from '../api';
import { merged, type Overrides } from './overrides';

/** What a test says of a workload: parts of its spec, and beside them its name and project, as in a construct. */
export type WorkloadOverrides<K extends WorkloadKind> = Overrides<SpecInput<K>> & {
  /** @default app */
  readonly name?: string;
  /** @default shop */
  readonly project?: string;
};

/** Project of workloads and worlds that name none. */
export const testProject = 'shop';

/** Runs as a user other than root, so that it passes Pod Security "restricted". */
const template = (port?: number) => ({
  spec: {
    securityContext: { runAsUser: 1000 },
    containers: [
      {
        name: 'app',
        image: 'registry.example.com/app:1.0.0',
        ...(port !== undefined && { ports: [{ containerPort: port }] }),
      },
    ],
  },
});

function maker<K extends WorkloadKind>(
  kind: K,
  spec: SpecInput<K>,
): (overrides?: WorkloadOverrides<K>) => ManifestInput<K> {
  return (overrides) => {
    const { name = 'app', project = testProject, ...said } = overrides ?? {};
    const metadata = { name, namespace: project };
    return { apiVersion, kind, metadata, spec: merged(spec, said as Overrides<SpecInput<K>>) };
  };
}

/** A valid `PinterestService`: one container behind port 8080. */
export const makeService = maker('PinterestService', { loadBalancer: { port: 8080 }, template: template(8080) });
/** A valid `PinterestJobSet`: three equal shards. */
export const makeJobSet = maker('PinterestJobSet', { shards: 3, template: template() });
/** A valid `PinterestCronJob`: every night at two. */
export const makeCronJob = maker('PinterestCronJob', { schedule: '0 2 * * *', template: template() });
/** A valid `PinterestDaemon` without access to the machine; its project must be of the infrastructure. */
export const makeDaemon = maker('PinterestDaemon', { template: template() });
/** A valid `PinterestTrainingJob`: PyTorch with a master and two workers. */
export const makeTrainingJob = maker('PinterestTrainingJob', {
  framework: 'pytorch',
  roles: { master: {}, worker: { replicas: 2 } },
  template: template(),
});
/** A valid `PinterestStatefulSet`: three members with a volume each. */
export const makeStatefulSet = maker('PinterestStatefulSet', {
  replicas: 3,
  volumeClaimTemplates: [{ name: 'data', mountPath: '/data', size: '1Gi' }],
  ports: [{ name: 'http', port: 8080 }],
  template: template(8080),
});
