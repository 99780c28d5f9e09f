import { type KubernetesObject, type Workload } from '@pinion-platform/pinion';

/** A golden case: its subject, and what must hold for its objects whatever else changes. */
export interface GoldenCase {
  readonly title: string;
  readonly expectations: Readonly<Record<string, (objects: readonly KubernetesObject[], workload: Workload) => void>>;
  /** Whether native output is rejected with `needs-controller`, so that only the controller can run the case. */
  readonly needsController?: boolean;
  /** Parts of warnings that the API server may return for it. @default - none: every warning is a failure */
  readonly allowedWarnings?: readonly string[];
}

/** Returns the only object of a kind, or of a kind and name. */
export function only(objects: readonly KubernetesObject[], kind: string, name?: string): KubernetesObject & { readonly spec: never } {
  const found = objects.filter((object) => object.kind === kind && (name === undefined || object.metadata.name === name));
  expect(found.map((object) => object.metadata.name)).toHaveLength(1);
  return found[0] as KubernetesObject & { readonly spec: never };
}
