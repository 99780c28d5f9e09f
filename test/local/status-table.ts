import { type ManifestInput } from '../../lib/api';

/** A resource that was applied, and its current state. */
export interface AppliedResource {
  readonly document: ManifestInput;
  readonly live:
    | {
        readonly metadata: { readonly generation?: number };
        readonly status?: {
          readonly observedGeneration?: number;
          readonly phase?: string;
          readonly conditions?: readonly { readonly type: string; readonly status: string; readonly message: string }[];
          readonly cause?: { readonly owner: string; readonly message: string };
        };
      }
    | undefined;
}

const conditionOf = ({ live }: AppliedResource, type: string) =>
  live?.status?.conditions?.find((condition) => condition.type === type);

/** Returns whether the latest generation of a resource is Ready or finished, or only the one that is required. */
export const isSettled = (observed: AppliedResource, conditions: readonly string[] = ['Ready', 'Complete']): boolean =>
  observed.live?.status?.observedGeneration === observed.live?.metadata.generation &&
  conditions.some((type) => conditionOf(observed, type)?.status === 'True');

/** Renders resources as a table: kind, name, status and message. */
export function statusTable(all: readonly AppliedResource[]): string {
  const rows = all.map((observed) => {
    const { kind, metadata } = observed.document;
    const { phase = 'Waiting', cause } = observed.live?.status ?? {};
    const why = cause ? `${cause.owner}: ${cause.message}` : (conditionOf(observed, 'Ready')?.message ?? '');
    return [kind, metadata.namespace ?? '', metadata.name, phase, why.split('\n', 1)[0]?.slice(0, 90) ?? ''];
  });
  const heads = ['KIND', 'PROJECT', 'NAME', 'PHASE', 'WHY'];
  const widths = heads.map((head, column) => Math.max(head.length, ...rows.map((row) => (row[column] ?? '').length)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return `${[heads, ...rows].map(line).join('\n')}\n`;
}
