import { type Workload } from '../../api';
import { writtenHash } from './written-hash';

/**
 * Fields of a spec that scale, pause or only describe a workload, or say how pods are replaced: changing one is no
 * deployment. The list must not change, because hooks would run again for specs that are deployed.
 */
const ignoredFields: ReadonlySet<string> = new Set([
  'replicas',
  'autoscaling',
  'rollout',
  'update',
  'disruption',
  'links',
  'labels',
  'annotations',
  'team',
  'costCenter',
  'access',
  'adopt',
  'allowLoss',
  'persistentVolumeClaimRetentionPolicy',
]);

type Fields = Readonly<Record<string, unknown>>;

const hashes = new WeakMap<object, string>();

/**
 * Hashes the deployed spec of a workload: equal for a platform rollout, a restart, a scale, another profile and a newer
 * library version.
 */
export function deploymentHash({ kind, spec }: Workload): string {
  let hash = hashes.get(spec);
  if (hash === undefined) {
    const { variants, volumeClaimTemplates: claims, ...fields } = spec as Fields;
    const deployed = {
      ...deployedFields(fields),
      // A full disk grows without waiting for a hook that needs it.
      volumeClaimTemplates: (claims as readonly Fields[] | undefined)?.map(({ size: _, ...claim }) => claim),
      variants: (variants as readonly Fields[] | undefined)?.map(deployedFields),
    };
    hashes.set(spec, (hash = writtenHash(kind, deployed)));
  }
  return hash;
}

const deployedFields = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([field]) => !ignoredFields.has(field)));
