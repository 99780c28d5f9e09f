import { apiVersion, type ManifestInput, type SpecInput, type WorkloadKind } from '../api';
import { applyOverrides, type Overrides } from './overrides';

/** Overrides of a workload: parts of its spec, and its name and project as in a construct. */
export type WorkloadOverrides<K extends WorkloadKind> = Overrides<SpecInput<K>> & {
  /** @default app */
  readonly name?: string;
  /** @default shop */
  readonly project?: string;
};

/** Default project of workloads and contexts. */
export const testProject = 'shop';

/** Returns a pod template that passes Pod Security "restricted". */
export const testTemplate = (port?: number) => ({
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

/** Returns a function that creates valid workloads of a kind. */
export function workloadMaker<K extends WorkloadKind>(
  kind: K,
  defaults: SpecInput<K>,
): (overrides?: WorkloadOverrides<K>) => ManifestInput<K> {
  return (overrides) => {
    const { name = 'app', project = testProject, ...spec } = overrides ?? {};
    const metadata = { name, namespace: project };
    return { apiVersion, kind, metadata, spec: applyOverrides(defaults, spec as Overrides<SpecInput<K>>) };
  };
}
