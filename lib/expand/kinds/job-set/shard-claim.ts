import { type Spec, type Workload } from '../../../api';
import { draftObject, type KubernetesObject } from '../../objects/kubernetes-object';
import { labelsOf } from '../../objects/labels';
import { derivedName } from '../../objects/name';
import { type ShardChoice, type ShardVolume } from './shard';
import { type ProjectContext } from '../../project-context';

type ClaimTemplate = NonNullable<Spec<'PinterestJobSet'>['volumeClaimTemplates']>[number];

/** Longest name of a claim without its index: label-like, as provisioners copy it into names and tags of their own. */
const longestClaimName = 58;

/** Name of the claim of one shard; it depends on the names of claim and workload only, so that a run finds what the last one left. */
const shardClaimName = (workload: Workload, claim: string, index: number): string =>
  `${derivedName([claim, workload.metadata.name], longestClaimName)}-${index}`;

/** The claim of one shard, to be found by the labels of its workload and member. */
export function shardClaim(
  workload: Workload<'PinterestJobSet'>,
  context: ProjectContext,
  template: ClaimTemplate,
  index: number,
  choice: ShardChoice,
): ShardVolume<KubernetesObject> {
  const name = shardClaimName(workload, template.name, index);
  const storageClassName = template.storageClass ?? context.platform.spec.storage.defaultClass;
  const spec = {
    accessModes: [...template.accessModes],
    resources: { requests: { storage: choice.claimSizes.get(template.name) ?? template.size } },
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
