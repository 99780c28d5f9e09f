import { type Workload } from '../api';
import { writtenHash } from '../expand';

type Fields = Readonly<Record<string, unknown>>;

/** Start of a hash of the fields as written. Former versions hashed the spec as read, with the defaults of its definition. */
const format = '2-';

/**
 * Hashes the spec of a workload as written, without its numbers of replicas, which autoscalers write.
 *
 * Neither a default that a definition adds nor a field that this version does not know changes the hash.
 */
export function deployedSpecHash({ kind, spec }: Pick<Workload, 'kind' | 'spec'>): string {
  const { replicas: _, variants, ...fields } = spec as Fields;
  const unscaled = (variants as readonly Fields[] | undefined)?.map(({ replicas: __, ...variant }) => variant);
  return `${format}${writtenHash(kind, unscaled ? { ...fields, variants: unscaled } : fields)}`;
}

/** Returns whether two hashes say that a spec was deployed: one of a former version cannot be compared. */
export const isDeployment = (recorded: string | undefined, hash: string | undefined): boolean =>
  recorded !== hash && (recorded === undefined || recorded.startsWith(format));
