import { groupBy } from '../../output/group-by';
import { type Note } from './note';

/** What an import of a folder or namespace has written. */
interface ImportCounts {
  /** Where the objects are, such as `old.yaml`. */
  readonly place: string;
  /** Workloads of the place. */
  readonly workloads: number;
  /** Workloads that a custom resource is written for. */
  readonly imported: number;
  /** Objects in the comments at the end. */
  readonly listed: number;
  /** Notes in the comments of all workloads. */
  readonly notes: readonly Note[];
}

/** How many fields the summary lists. */
const maxFields = 10;

/** Returns how many workloads are imported, and which fields the comments are about, the most frequent first. */
export function importSummary({ place, workloads, imported, listed, notes }: ImportCounts): string {
  const head = `${imported} of ${workloads} ${workloads === 1 ? 'workload' : 'workloads'} imported from ${place}`;
  const end = listed === 0 ? '' : `; ${listed} other ${listed === 1 ? 'object is' : 'objects are'} listed at the end`;
  const fields = [...groupBy(notes, fieldOf)].sort(([, a], [, b]) => b.length - a.length);
  const lines = fields.slice(0, maxFields).map(([field, entries]) => `  ${entries.length} x ${field}\n`);
  const more = fields.length - lines.length;
  return [
    `${head}${end}\n`,
    ...(lines.length === 0 ? [] : ['Review in the comments above each workload:\n']),
    ...lines,
    ...(more > 0 ? [`  and ${more} more ${more === 1 ? 'field' : 'fields'}\n`] : []),
  ].join('');
}

/** Returns what a note is about without the name of the object: `spec.type` for `Service cart: spec.type`, or the kind. */
const fieldOf = ({ subject }: Note): string =>
  subject
    .replace(/^\w+ [^:\s]+: /, '')
    .replace(/^(\w+) [^:\s]+$/, '$1')
    .replace(/\[(?!")[^\]]*\]/g, '[]');
