/** A version of Kubernetes, taken apart. */
export interface KubernetesVersion {
  readonly minor: number;
  readonly text: string;
}

/** Reads `1.36.3`, `v1.36.3` and what vendors put behind it; undefined for anything else, and for another major version than 1. */
export function readKubernetesVersion(text: string): KubernetesVersion | undefined {
  const found = /^v?1\.(\d+)(?:\.\d+)?(?:[-+].*)?$/.exec(text.trim());
  return found ? { minor: Number(found[1]), text: text.trim().replace(/^v/, '') } : undefined;
}
