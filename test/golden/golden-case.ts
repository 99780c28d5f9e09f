import { type KubernetesObject, type Workload } from 'pinion';

/** One golden case: what it is about, and what must be true of the objects whatever else changes. */
export interface GoldenCase {
  readonly title: string;
  readonly expectations: Readonly<Record<string, (objects: readonly KubernetesObject[], workload: Workload) => void>>;
  /** What the native door refuses with `needs-controller`: the case is only for the controller. */
  readonly needsController?: boolean;
  /** Parts of warnings that the API server may give about it. @default - none: every warning is a fault */
  readonly allowedWarnings?: readonly string[];
}

/** The one object of a kind, or of a kind and name. */
export function only(objects: readonly KubernetesObject[], kind: string, name?: string): KubernetesObject & { readonly spec: never } {
  const found = objects.filter((object) => object.kind === kind && (name === undefined || object.metadata.name === name));
  expect(found.map((object) => object.metadata.name)).toHaveLength(1);
  return found[0] as KubernetesObject & { readonly spec: never };
}
