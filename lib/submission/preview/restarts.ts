import { metadataKeys, valueAt } from '../../api';
import { type KubernetesObject } from '../../expand';
import { fieldDifferences } from './field-differences';

/** Kinds whose pods follow their template; started runs of a CronJob do not change. */
const templateKinds = ['Deployment', 'StatefulSet', 'DaemonSet', 'Job'];

/**
 * Returns whether a change between two expansions replaces pods: a template changes, or an object with pods is removed.
 *
 * No pod is replaced if pods are updated only when they are deleted, or if the rollout is paused.
 */
export function replacesPods(before: readonly KubernetesObject[], desired: readonly KubernetesObject[]): boolean {
  const after = new Map(desired.map((object) => [`${object.kind}/${object.metadata.name}`, object]));
  return before
    .filter(({ kind }) => templateKinds.includes(kind))
    .some((object) => {
      const next = after.get(`${object.kind}/${object.metadata.name}`);
      if (!next) return true;
      const isPaused =
        valueAt(next, ['spec', 'updateStrategy', 'type']) === 'OnDelete' || valueAt(next, ['spec', 'paused']) === true;
      return !isPaused && fieldDifferences(templateOf(object), templateOf(next), []).length > 0;
    });
}

/** Returns the pod template without the restart that an operator requested, which a deployment keeps. */
function templateOf(object: KubernetesObject): unknown {
  const template = valueAt(object, ['spec', 'template']) as { readonly metadata?: { readonly annotations?: object } };
  const annotations = Object.entries(template.metadata?.annotations ?? {}).filter(
    ([key]) => key !== metadataKeys.restart,
  );
  return { ...template, metadata: { ...template.metadata, annotations: Object.fromEntries(annotations) } };
}
