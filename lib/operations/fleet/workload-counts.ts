import { type WorkloadRow } from './workload-rows';

/** Number of workloads by state. */
export interface WorkloadCounts {
  readonly total: number;
  /** Those that should be Ready and are not. */
  readonly notReady: number;
  /** Those whose pods are held, because only the library would change them. */
  readonly held: number;
  /** By RuntimeProfile of their pods; a workload without pods yet is in none. */
  readonly byProfile: Readonly<Record<string, number>>;
}

/** Counts workloads by state. */
export function countWorkloads(rows: readonly WorkloadRow[]): WorkloadCounts {
  const byProfile: Record<string, number> = {};
  for (const { profile } of rows) if (profile !== undefined) byProfile[profile] = (byProfile[profile] ?? 0) + 1;
  return {
    total: rows.length,
    notReady: rows.filter(({ isNotReady }) => isNotReady).length,
    held: rows.filter(({ heldSince }) => heldSince !== undefined).length,
    byProfile,
  };
}
