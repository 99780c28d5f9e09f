import { applyPatch, deepClone } from 'fast-json-patch';
import { checkNative, isPlainObject, isTypeName, type FieldPath, type Problem, type Workload } from '../../api';
import { type KubernetesObject } from '../objects/kubernetes-object';
import { type ProjectContext } from '../project-context';
import { changedLeaves } from './changed-leaves';
import { checkPatchedPods } from './check-patched-pods';
import { namedFields, type Patch } from './named-fields';
import { permissionsOf, refusalOf, type PatchPermissions } from './patch-permissions';

/** Maximum number of fields of a patch that are reported. */
const maxReported = 8;

/** Patch of a workload, and where its problems are reported. */
interface PatchContext {
  readonly path: FieldPath;
  readonly permissions: PatchPermissions;
  readonly context: ProjectContext;
  readonly report: (problem: Problem) => void;
}

/**
 * Applies a workload's patches to its objects. Reports patches of fields that patches may not change, and patches that
 * match no object, change nothing or make an object invalid; these are not applied.
 */
export function applyPatches(
  objects: readonly KubernetesObject[],
  workload: Workload,
  context: ProjectContext,
  report: (problem: Problem) => void,
): KubernetesObject[] {
  const results = [...objects];
  workload.spec.patches?.forEach((patch, index) => {
    const path = ['spec', 'patches', index];
    const permissions = permissionsOf(patch.kind, workload, context);
    if (!namesOnlyPatchable(patch, { path, permissions, context, report })) return;
    const matching = results.filter((object) => isMatch(object, patch));
    if (matching.length === 0) report(unmatched(patch, path, results));
    for (const before of matching)
      results[results.indexOf(before)] = applyPatchTo(before, patch, { path, permissions, context, report });
  });
  return results;
}

const isMatch = (object: KubernetesObject, { kind, name }: Patch): boolean =>
  object.kind === kind && (name === undefined || object.metadata.name === name);

function unmatched({ kind, name }: Patch, path: FieldPath, objects: readonly KubernetesObject[]): Problem {
  const kinds = [...new Set(objects.map((object) => `${object.kind} ${object.metadata.name}`))];
  return {
    code: 'bad-patch',
    path: [...path, 'kind'],
    value: name === undefined ? kind : `${kind} ${name}`,
    reason: 'does not match an object of this workload',
    remedy: `use one of ${kinds.join(', ')}`,
  };
}

/** Returns whether a patch names only fields that it may change; reports the others. */
function namesOnlyPatchable(patch: Patch, { path, permissions, report }: PatchContext): boolean {
  const refused = namedFields(patch).flatMap(({ field, path: location }) => {
    const refusal = refusalOf(field, permissions);
    return refusal ? [{ ...refusal, path: [...path, ...location] }] : [];
  });
  for (const problem of refused.slice(0, maxReported))
    report({ ...problem, code: 'not-available', rule: 'patchable-fields' });
  return refused.length === 0;
}

function applyPatchTo(object: KubernetesObject, patch: Patch, patchContext: PatchContext): KubernetesObject {
  const { path, context, report } = patchContext;
  const subject = `${object.kind} ${object.metadata.name}`;
  const reportBadPatch = (reason: string, remedy: string) =>
    report({ code: 'bad-patch', path, reason: `${reason} (${subject})`, remedy });
  let after: KubernetesObject;
  try {
    after = patched(object, patch);
  } catch (error) {
    reportBadPatch(
      `cannot be applied: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : 'unknown reason'}`,
      'print the object with pinion render and correct the path',
    );
    return object;
  }
  const leaves = changedLeaves(object, after);
  if (leaves.length === 0) reportBadPatch('changes nothing', 'remove the patch, or correct it');
  if (!changesOnlyPatchable(leaves, subject, patchContext)) return object;
  if (isTypeName(object.kind))
    checkNative(
      object.kind,
      after,
      [],
      (problem) => reportBadPatch(`leaves ${problem.path.join('.')}, which ${problem.reason}`, problem.remedy),
      { version: context.platform.spec.kubernetesVersion },
    );
  checkPatchedPods({ before: object, after }, context, ({ reason, ...problem }) =>
    report({ ...problem, reason: `${reason} (${subject})`, code: 'not-available', path }),
  );
  return after;
}

const patched = (object: KubernetesObject, { merge, operations = [] }: Patch): KubernetesObject =>
  merge
    ? (mergePatch(object, merge) as KubernetesObject)
    : applyPatch(deepClone(object) as KubernetesObject, deepClone(operations) as Parameters<typeof applyPatch>[1], true)
        .newDocument;

/**
 * Returns whether a patch changed only fields that it may change; reports the others. It may change others than it names:
 * entries of a list after one that it adds or removes, and keys in a map that it replaces.
 */
function changesOnlyPatchable(
  leaves: readonly FieldPath[],
  subject: string,
  { path, permissions, report }: PatchContext,
): boolean {
  const refused = leaves.flatMap((leaf) => {
    const refusal = refusalOf(leaf, permissions);
    return refusal ? [{ ...refusal, reason: `${refusal.reason}: ${leaf.join('.')} (${subject})` }] : [];
  });
  for (const problem of refused.slice(0, maxReported))
    report({ ...problem, code: 'not-available', path, rule: 'patchable-fields' });
  return refused.length === 0;
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
