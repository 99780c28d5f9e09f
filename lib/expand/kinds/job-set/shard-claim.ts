import { type Spec, type Workload } from '../../../api';
import { draftObject, type KubernetesObject } from '../../objects/kubernetes-object';
import { labelsOf } from '../../objects/labels';
import { derivedName } from '../../objects/name';
import { type ShardSettings, type ShardVolume } from './shard';
import { type ProjectContext } from '../../project-context';

type ClaimTemplate = NonNullable<Spec<'PinterestJobSet'>['volumeClaimTemplates']>[number];

/** Maximum length of a claim name without its index; provisioners copy the name into labels and tags. */
const maxClaimNameLength = 58;

/** Returns the name of a shard's claim; it depends only on the names of the claim template and the workload, so that a run finds the data of the previous one. */
const shardClaimName = (workload: Workload, claim: string, index: number): string =>
  `${derivedName([claim, workload.metadata.name], maxClaimNameLength)}-${index}`;

/** Creates the claim of a shard, with the labels of its workload and member. */
export function shardClaim(
  workload: Workload<'PinterestJobSet'>,
  context: ProjectContext,
  template: ClaimTemplate,
  index: number,
  settings: ShardSettings,
): ShardVolume<KubernetesObject> {
  const name = shardClaimName(workload, template.name, index);
  const storageClassName = template.storageClass ?? context.platform.spec.storage.defaultClass;
  const spec = {
    accessModes: [...template.accessModes],
    resources: { requests: { storage: settings.claimSizes.get(template.name) ?? template.size } },
    ...(storageClassName !== undefined && { storageClassName }),
  };
  const labels = { ...template.labels, ...labelsOf(workload, context, String(index)) };
  const { mountPath, subPath } = template;
  return {
    object: draftObject('PersistentVolumeClaim', { name, labels }, { spec }),
    volume: { name: template.name, persistentVolumeClaim: { claimName: name } },
    mount: { name: template.name, mountPath, ...(subPath !== undefined && { subPath }) },
  };
}
