/** A parsed Kubernetes version. */
export interface ParsedKubernetesVersion {
  readonly minor: number;
  readonly text: string;
}

/** Parses `1.36.3`, `v1.36.3` and vendor suffixes; undefined for any other string and for other major versions. */
export function parseKubernetesVersion(text: string): ParsedKubernetesVersion | undefined {
  const found = /^v?1\.(\d+)(?:\.\d+)?(?:[-+].*)?$/.exec(text.trim());
  return found ? { minor: Number(found[1]), text: text.trim().replace(/^v/, '') } : undefined;
}
