import { applyPatch, deepClone } from 'fast-json-patch';
import { checkNative, isPlainObject, isTypeName, type Problem, type Workload } from '../api';
import { type KubernetesObject } from './objects/kubernetes-object';
import { type ProjectContext } from './project-context';

type Patch = NonNullable<Workload['spec']['patches']>[number];

/** Applies a workload's patches to its objects; reports patches that match no object, change nothing or make an object invalid. */
export function applyPatches(
  objects: readonly KubernetesObject[],
  workload: Workload,
  context: ProjectContext,
  report: (problem: Problem) => void,
): KubernetesObject[] {
  const patches = workload.spec.patches ?? [];
  if (patches.length === 0) return [...objects];
  const results = [...objects];
  patches.forEach((patch, index) => {
    const path = ['spec', 'patches', index];
    const matchingIndexes = results.flatMap((object, at) =>
      object.kind === patch.kind && (patch.name === undefined || object.metadata.name === patch.name) ? [at] : [],
    );
    if (matchingIndexes.length === 0) {
      const kinds = [...new Set(results.map(({ kind, metadata }) => `${kind} ${metadata.name}`))];
      report({
        code: 'bad-patch',
        path: [...path, 'kind'],
        value: patch.name === undefined ? patch.kind : `${patch.kind} ${patch.name}`,
        reason: 'does not match an object of this workload',
        remedy: `use one of ${kinds.join(', ')}`,
      });
    }
    for (const at of matchingIndexes) {
      const before = results[at];
      if (before) results[at] = applyPatchTo(before, patch, path, context, report);
    }
  });
  return results;
}

function applyPatchTo(
  object: KubernetesObject,
  patch: Patch,
  path: (string | number)[],
  context: ProjectContext,
  report: (problem: Problem) => void,
): KubernetesObject {
  const reportBadPatch = (reason: string, remedy: string, subPath: (string | number)[] = []) =>
    report({
      code: 'bad-patch',
      path: [...path, ...subPath],
      reason: `${reason} (${object.kind} ${object.metadata.name})`,
      remedy,
    });
  let after: KubernetesObject;
  try {
    after = patch.merge
      ? (mergePatch(object, patch.merge) as KubernetesObject)
      : applyPatch(
          deepClone(object) as KubernetesObject,
          deepClone(patch.operations ?? []) as Parameters<typeof applyPatch>[1],
          true,
        ).newDocument;
  } catch (error) {
    reportBadPatch(
      `cannot be applied: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : 'unknown reason'}`,
      'print the object with pinion render and correct the path',
    );
    return object;
  }
  if (JSON.stringify(after) === JSON.stringify(object))
    reportBadPatch('changes nothing', 'remove the patch, or correct it');
  if (
    after.kind !== object.kind ||
    after.apiVersion !== object.apiVersion ||
    after.metadata?.name !== object.metadata.name ||
    after.metadata.namespace !== object.metadata.namespace
  ) {
    reportBadPatch(
      'changes the identity of the object',
      'do not change apiVersion, kind, metadata.name or metadata.namespace',
    );
    return object;
  }
  if (isTypeName(object.kind)) {
    checkNative(
      object.kind,
      after,
      [],
      (problem) => reportBadPatch(`leaves ${problem.path.join('.')}, which ${problem.reason}`, problem.remedy),
      { version: context.platform.spec.kubernetesVersion },
    );
  }
  return after;
}

/** Applies a JSON merge patch (RFC 7386). */
function mergePatch(target: unknown, change: unknown): unknown {
  if (!isPlainObject(change)) return change;
  const result: Record<string, unknown> = isPlainObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(change)) {
    if (value === null) Reflect.deleteProperty(result, key);
    else
      Object.defineProperty(result, key, {
        value: mergePatch(result[key], value),
        enumerable: true,
        configurable: true,
        writable: true,
      });
  }
  return result;
}
