import {
  escapeRegExp,
  group,
  isPlatformKey,
  patchableFields,
  recommended,
  type FieldPath,
  type PatchableKind,
  type Problem,
  type Workload,
} from '../../api';
import { type ProjectContext } from '../project-context';
import { patchExceptions } from './patch-exceptions';

/** Fields of objects of one kind that patches of a workload may change. */
export interface PatchPermissions {
  readonly kind: PatchableKind;
  /** Fields that patches of every workload may change. */
  readonly allowed: readonly FieldPath[];
  /** Fields that the Platform adds for this workload. */
  readonly excepted: readonly FieldPath[];
}

/** A kind that is not listed has no fields. */
const fieldsByKind: Readonly<Partial<Record<string, readonly string[]>>> = patchableFields;

/** Returns what patches of a workload may change in objects of a kind. */
export const permissionsOf = (
  kind: PatchableKind,
  { metadata }: Workload,
  context: ProjectContext,
): PatchPermissions => ({
  kind,
  allowed: (fieldsByKind[kind] ?? []).map((field) => field.split('.')),
  excepted: patchExceptions(context).flatMap((exception) =>
    exception.kind === kind &&
    exception.project === metadata.namespace &&
    (exception.workload ?? metadata.name) === metadata.name
      ? exception.fields
      : [],
  ),
});

const groupPattern = escapeRegExp(group);
/** Pattern of the keys of labels and annotations that the platform sets. */
export const platformKeyPattern = `^(([^/]+[.])?${groupPattern}/|(${Object.values(recommended).map(escapeRegExp).join('|')})$)`;
/** Pattern of these keys, and of those that components of Kubernetes read. */
export const reservedKeyPattern = `^([^/]+[.])?(kubernetes[.]io|k8s[.]io|${groupPattern})/`;
const reservedKey = new RegExp(reservedKeyPattern);

/** Returns why a patch may not change a field; undefined if it may. */
export function refusalOf(
  field: FieldPath,
  { kind, allowed, excepted }: PatchPermissions,
): Pick<Problem, 'reason' | 'remedy'> | undefined {
  const keys = metadataKeysOf(field);
  const owned = keys.find(isPlatformKey);
  if (owned !== undefined)
    return { reason: `changes ${owned}, which the platform sets`, remedy: 'remove it from the patch' };
  if (excepted.some((exception) => covers(exception, field))) return undefined;
  const remedy = `${remedyFor(allowed)} spec.patchExceptions of the Platform`;
  const reserved = keys.find((key) => reservedKey.test(key));
  if (reserved !== undefined) return { reason: `changes ${reserved}, which Kubernetes reads`, remedy };
  if (allowed.some((listed) => covers(listed, field))) return undefined;
  return { reason: `changes a field of a ${kind} that patches may not change`, remedy };
}

const remedyFor = (allowed: readonly FieldPath[]): string =>
  allowed.length === 0
    ? 'use fields of the workload, or ask the platform team to add the field to'
    : `use fields of the workload, patch ${allowed.map((field) => field.join('.')).join(', ')}, or ask the platform team to add the field to`;

/** Lists the keys of labels and annotations along a path. */
const metadataKeysOf = (field: FieldPath): string[] =>
  field.flatMap((step, index) =>
    field[index - 2] === 'metadata' && ['annotations', 'labels'].includes(String(field[index - 1]))
      ? [String(step)]
      : [],
  );

/** Returns whether a listed field is a path, or above it; `*` matches any key or index. */
const covers = (listed: FieldPath, field: FieldPath): boolean =>
  listed.length <= field.length && listed.every((step, index) => step === '*' || step === String(field[index]));
