import { hookOf } from '../objects/hook-jobs';
import { type KubernetesObject } from '../objects/kubernetes-object';
import { podTemplateSpecOf } from '../objects/pod-spec-of';
import { sortedHash } from '../objects/sorted-hash';

/** Start of the hash; another form of it must not look like another template. */
const format = '1-';

const hashes = new WeakMap<readonly KubernetesObject[], string>();

/** Hashes the pod templates of a workload's objects, except those of hooks; the order of fields does not matter. */
export function podTemplatesHash(objects: readonly KubernetesObject[]): string {
  let hash = hashes.get(objects);
  if (hash === undefined) {
    const templates = objects.flatMap((object) => {
      const template = hookOf(object) === undefined ? podTemplateSpecOf(object) : undefined;
      return template ? [{ kind: object.kind, name: object.metadata.name, template }] : [];
    });
    hashes.set(objects, (hash = `${format}${sortedHash(templates)}`));
  }
  return hash;
}

/** Returns whether two hashes are of different pod templates. */
export const differsInTemplates = (recorded: string, hash: string): boolean =>
  recorded !== hash && recorded.startsWith(format);
