import { type Spec, type Workload } from '../../../api';
import { draftObject, type KubernetesObject } from '../../objects/kubernetes-object';
import { labelsOf } from '../../objects/labels';
import { derivedName, shortHash } from '../../objects/name';
import { substituteShard, type ShardSettings, type ShardVolume } from './shard';
import { type ProjectContext } from '../../project-context';

type ConfigTemplate = NonNullable<Spec<'PinterestJobSet'>['configTemplates']>[number];

/** Maximum length of the name without its index and hash, which must fit into 63 characters. */
const maxStableNameLength = 46;

/** Creates the ConfigMap of a shard, which is immutable and has a hash of its content in its name. */
export function shardConfig(
  workload: Workload<'PinterestJobSet'>,
  context: ProjectContext,
  template: ConfigTemplate,
  index: number,
  settings: ShardSettings,
): ShardVolume<KubernetesObject> {
  const contents = { ...template.data, ...settings.config.get(template.name) };
  const data = Object.fromEntries(
    Object.keys(contents)
      .sort()
      .map((file) => [file, substituteShard(contents[file] ?? '', index, workload.spec.shards)]),
  );
  const stableName = derivedName([workload.metadata.name, template.name], maxStableNameLength);
  const name = `${stableName}-${index}-${shortHash(JSON.stringify(data))}`;
  return {
    object: draftObject(
      'ConfigMap',
      { name, labels: labelsOf(workload, context, String(index)) },
      { immutable: true, data },
    ),
    volume: { name: template.name, configMap: { name } },
    mount: { name: template.name, mountPath: template.mountPath, readOnly: true },
  };
}
