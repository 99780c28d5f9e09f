import { escapeRegExp, patchableFields, type FieldPath } from '../../api';
import { type PlatformContext } from '../project-context';
import { platformKeyPattern, reservedKeyPattern } from './patch-permissions';
import { patchExceptions, type PatchException } from './patch-exceptions';

/** Validation of an admission policy. */
interface Validation {
  readonly expression: string;
  readonly message: string;
  readonly reason: string;
}

/** Workloads with the same exceptions: one, or all others of a project. */
interface Scope {
  readonly project: string;
  readonly workload?: string | undefined;
}

/** Field that patches may change. */
interface PatchableField {
  readonly field: FieldPath;
  /** Whether the Platform adds it, so that it includes annotations that Kubernetes reads. */
  readonly excepted: boolean;
}

type FieldsByKind = ReadonlyMap<string, readonly PatchableField[]>;

const message =
  'spec.patches: changes a field that patches may not change; use fields of the workload, or ask the platform team to add the field to spec.patchExceptions of the Platform';

/**
 * Returns the validations by which the API server rejects patches of fields that patches may not change: one for
 * workloads without exceptions, and one for each scope of exceptions.
 *
 * They read only the fields that patches name. Expansion also checks what a patch changes in the objects.
 */
export function patchValidations(cluster: Pick<PlatformContext, 'platform' | 'profile'>): Validation[] {
  const exceptions = patchExceptions(cluster);
  const scopes = distinctScopes(exceptions);
  const isExcepted = scopes.map((scope) => `(${scopeCondition(scope, scopes)})`);
  const hasNone = '!has(object.spec.patches)';
  return [
    validation([hasNone, ...isExcepted, patchesCondition(mergedFields([]))]),
    ...scopes.map((scope) =>
      validation([
        hasNone,
        `!(${scopeCondition(scope, scopes)})`,
        patchesCondition(mergedFields(exceptions.filter((exception) => appliesTo(exception, scope)))),
      ]),
    ),
  ];
}

const validation = (alternatives: readonly string[]): Validation => ({
  expression: alternatives.join(' || '),
  message,
  reason: 'Forbidden',
});

const distinctScopes = (exceptions: readonly PatchException[]): Scope[] => [
  ...new Map(
    exceptions.map(({ project, workload }) => [JSON.stringify([project, workload]), { project, workload }]),
  ).values(),
];

const appliesTo = ({ project, workload }: PatchException, scope: Scope): boolean =>
  project === scope.project && (workload === undefined || workload === scope.workload);

/** Returns the condition that a workload is in a scope; that of a project excludes its workloads with their own. */
function scopeCondition({ project, workload }: Scope, scopes: readonly Scope[]): string {
  const inProject = `object.metadata.namespace == ${quoted(project)}`;
  if (workload !== undefined) return `${inProject} && object.metadata.name == ${quoted(workload)}`;
  const others = scopes.flatMap((other) =>
    other.project === project && other.workload !== undefined ? [quoted(other.workload)] : [],
  );
  return others.length === 0 ? inProject : `${inProject} && !(object.metadata.name in [${others.join(', ')}])`;
}

function mergedFields(exceptions: readonly PatchException[]): FieldsByKind {
  const fields = new Map<string, readonly PatchableField[]>();
  for (const [kind, listed] of Object.entries(patchableFields)) {
    const allowed = listed.map((field) => ({ field: field.split('.'), excepted: false }));
    const excepted = exceptions
      .filter((exception) => exception.kind === kind)
      .flatMap((exception) => exception.fields.map((field) => ({ field, excepted: true })));
    fields.set(kind, [...allowed, ...excepted]);
  }
  return fields;
}

function patchesCondition(fieldsByKind: FieldsByKind): string {
  const kinds = [...fieldsByKind].flatMap(([kind, fields]) =>
    fields.length === 0 ? [] : [`(p.kind == ${quoted(kind)} && ${patchCondition(fields)})`],
  );
  // The type checker of Kubernetes takes values of any form for objects without fields, and would report each use in 3 MB.
  return `dyn(object.spec.patches).all(p, ${kinds.join(' || ')})`;
}

/** Returns the condition that a patch `p` names only some fields. */
function patchCondition(fields: readonly PatchableField[]): string {
  const operations = `p.operations.all(o, o.op == "test" || [o.path + "/"].all(q, ${fields.map(pathCondition).join(' || ')}))`;
  return `(!has(p.operations) || ${operations}) && (!has(p.merge) || (${mergeCondition(treeOf(fields), 'p.merge', 0)}))`;
}

const isAnnotations = (field: FieldPath): boolean => field.at(-1) === 'annotations' && field.at(-2) === 'metadata';

/** Returns the condition that `q`, the path of the operation `o` and a slash, is at or below a field. */
function pathCondition({ field, excepted }: PatchableField): string {
  const steps = field.map((step) => String(step).replaceAll('~', '~0').replaceAll('/', '~1'));
  if (field.includes('*')) {
    const pattern = steps.map((step) => (step === '*' ? '[^/]+' : escapeRegExp(step))).join('/');
    return `q.matches(${quoted(`^/${pattern}/`)})`;
  }
  const prefix = quoted(`/${steps.join('/')}/`);
  if (!isAnnotations(field)) return `q.startsWith(${prefix})`;
  const reserved = reservedPattern(excepted);
  const escaped = `^/${steps.map(escapeRegExp).join('/')}/${inPointer(reserved)}`;
  const isMap = `(o.op == "remove" || type(o.value) == map && o.value.all(k, !k.matches(${quoted(reserved)})))`;
  return `(q == ${prefix} ? ${isMap} : (q.startsWith(${prefix}) && !q.matches(${quoted(escaped)})))`;
}

const reservedPattern = (excepted: boolean): string => (excepted ? platformKeyPattern : reservedKeyPattern);
/** Returns the pattern of a key as one of the key in a JSON Pointer with a slash at the end. */
const inPointer = (pattern: string): string =>
  pattern
    .slice(1)
    .replaceAll(/(?<!\^)\//g, '~1')
    .replaceAll('$', '/');

/** Node of the tree of patchable fields. */
interface FieldNode {
  readonly children: Map<string, FieldNode>;
  /** The listed field, with which all fields below it are patchable. */
  listed?: PatchableField;
}

function treeOf(fields: readonly PatchableField[]): FieldNode {
  const root: FieldNode = { children: new Map() };
  for (const listed of fields) {
    let node = root;
    for (const step of listed.field) {
      const next = node.children.get(String(step)) ?? { children: new Map<string, FieldNode>() };
      node.children.set(String(step), next);
      node = next;
    }
    node.listed = listed;
  }
  return root;
}

/**
 * Returns the condition that a JSON merge patch has no other fields than those of a tree.
 *
 * A nested value is named by a list of one, because the type checker infers the type of each index of a path separately.
 */
function mergeCondition({ children }: FieldNode, value: string, depth: number): string {
  const key = `k${depth}`;
  const any = children.get('*');
  const named = [...children].filter(([name]) => name !== '*');
  const alternatives = [
    `${key} in [${named.map(([name]) => quoted(name)).join(', ')}]`,
    ...(any ? [`(${memberCondition(any, `${value}[${key}]`, depth + 1)})`] : []),
  ];
  const nested = named.flatMap(([name, child]) => {
    const member = `m${depth}`;
    const condition = memberCondition(child, member, depth + 1);
    if (condition === 'true') return [];
    return [`(!(${quoted(name)} in ${value}) || [${value}[${quoted(name)}]].all(${member}, ${condition}))`];
  });
  return [`type(${value}) == map`, `${value}.all(${key}, ${alternatives.join(' || ')})`, ...nested].join(' && ');
}

function memberCondition(node: FieldNode, value: string, depth: number): string {
  if (!node.listed) return mergeCondition(node, value, depth);
  if (!isAnnotations(node.listed.field)) return 'true';
  const others = [...node.children.keys()].map((name) => ` || k == ${quoted(name)}`);
  const pattern = quoted(reservedPattern(node.listed.excepted));
  return `${value} == null || type(${value}) == map && ${value}.all(k, !k.matches(${pattern})${others.join('')})`;
}

const quoted = (text: string): string => JSON.stringify(text);
