import { type Workload } from '../../api';
import { writtenHash } from '../objects/written-hash';

type Fields = Readonly<Record<string, unknown>>;

/** Start of a hash of the fields as written. Former versions hashed the spec as read, with the defaults of its definition. */
const format = '2-';

const hashes = new WeakMap<object, string>();

/**
 * Hashes the spec of a workload as written, without its numbers of replicas, which autoscalers write.
 *
 * Neither a default that a definition adds nor a field that this version does not know changes the hash.
 */
export function deployedSpecHash({ kind, spec }: Pick<Workload, 'kind' | 'spec'>): string {
  let hash = hashes.get(spec);
  if (hash === undefined) {
    const { replicas: _, variants, ...fields } = spec as Fields;
    const unscaled = (variants as readonly Fields[] | undefined)?.map(({ replicas: __, ...variant }) => variant);
    hash = `${format}${writtenHash(kind, unscaled ? { ...fields, variants: unscaled } : fields)}`;
    hashes.set(spec, hash);
  }
  return hash;
}

/** Returns the numbers of replicas of a spec, which its deployed hash leaves out. */
export function replicasOfSpec({ spec }: Pick<Workload, 'spec'>): readonly unknown[] {
  const { replicas, variants } = spec as Fields;
  return [replicas, ...((variants as readonly Fields[] | undefined) ?? []).map((variant) => variant['replicas'])];
}

/** Returns whether two hashes say that a spec was deployed: one of a former version or a lost one cannot be compared. */
export const isDeployment = (recorded: string | undefined, hash: string): boolean =>
  recorded !== hash && recorded?.startsWith(format) === true;
