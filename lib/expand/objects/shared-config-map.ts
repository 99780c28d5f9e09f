import { metadataKeys, recommended } from '../../api';
import { type ProjectContext } from '../project-context';
import { draftObject, type KubernetesObject } from './kubernetes-object';
import { derivedName, inNameOrder, labelOf, shortHash } from './name';

/** What a change of shared configuration does to the pods that use it. */
export type OnChange = 'Restart' | 'Refresh';

/** Configuration that several workloads of a project share. */
export interface SharedConfigInput {
  readonly name: string;
  readonly data: Readonly<Record<string, string>>;
  readonly onChange: OnChange;
}

/**
 * Annotations that keep former versions: pods of a former revision need theirs when they move to another node, and after a
 * rollback. Tools that delete what is no longer in their source would delete it.
 */
const keptByTools = {
  'argocd.argoproj.io/compare-options': 'IgnoreExtraneous',
  'argocd.argoproj.io/sync-options': 'Prune=false',
  'helm.sh/resource-policy': 'keep',
  'kustomize.toolkit.fluxcd.io/prune': 'disabled',
};

/** Returns the name of the ConfigMap; with `Restart`, it has a hash of the data, so that a change rolls out the pods. */
export const sharedConfigName = ({ name, data, onChange }: SharedConfigInput): string =>
  onChange === 'Restart' ? derivedName([name, shortHash(JSON.stringify(inNameOrder(data)))]) : name;

/** Creates the ConfigMap of shared configuration. With `Restart`, each version is immutable and has its own name. */
export function sharedConfigMap(input: SharedConfigInput, { project }: ProjectContext): KubernetesObject {
  const { team, costCenter } = project.spec;
  const isVersioned = input.onChange === 'Restart';
  const object = draftObject(
    'ConfigMap',
    { name: sharedConfigName(input) },
    { ...(isVersioned && { immutable: true }), data: Object.fromEntries(inNameOrder(input.data)) },
  );
  const labels = {
    [recommended.name]: labelOf(input.name),
    [recommended.partOf]: project.metadata.name,
    [recommended.component]: 'shared-config',
    [metadataKeys.team]: team,
    ...(costCenter !== undefined && { [metadataKeys.costCenter]: costCenter }),
  };
  const { name } = object.metadata;
  const metadata = {
    name,
    namespace: project.metadata.name,
    labels,
    ...(isVersioned && { annotations: keptByTools }),
  };
  return { ...object, metadata };
}
