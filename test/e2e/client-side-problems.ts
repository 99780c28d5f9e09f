import { formatPath, type PinionKind, type Problem } from '../../lib/api';
import { schemaOf } from '../../lib/api/schemas';
import { type Shape, shapeOf } from '../../lib/api/schema/field-tree';
import { nativeRules } from '../../lib/api/native';

/** Documented limits: input that pinion rejects although the schema of a definition accepts it. */
const documentedLimits: readonly (readonly [Problem['code'], RegExp])[] = [
  // No pattern can list all schedules and time zones.
  ['bad-format', /\.(schedule|timeZone)$/],
  // Settings have several types, and the server does not validate a map of mixed types.
  ['bad-format', /^spec\.sidecars(\.\w+|\["[^"]+"\])\.config\b/],
  ['wrong-type', /^spec\.sidecars(\.\w+|\["[^"]+"\])\.config\b/],
  ['unsupported-value', /^spec\.sidecars(\.\w+|\["[^"]+"\])\.config\b/],
  // Volumes of the pod and mounts of a part are combined only when the pod is built.
  ['unknown-reference', /^spec\.sidecars(\.\w+|\["[^"]+"\])\.mounts\b/],
  // No server applies patches to objects that do not exist yet.
  ['bad-patch', /^spec\.patches\b/],
  // The definitions follow the newest supported Kubernetes version.
  ['unsupported-field', /^spec\b/],
  // A pattern for label keys and values would exceed the cost limit.
  ['bad-format', /\.(matchLabels|matchExpressions|nodeSelector)\b/],
  // Kubernetes only warns about a duplicate port; one of the two is always a mistake.
  ['duplicate', /\.ports\[\d+\]\.containerPort$/],
];

/** Rules about the objects of a workload, which the server sees only in those objects. */
const expansionRules: ReadonlySet<string> = new Set([
  'annotation-size',
  'image-tag',
  'metrics-port',
  'variable-reference',
  'container-bound',
  'file-in-volume',
  'mount-twice',
  'patchable-fields',
  'pod-security',
  'sidecar-port',
  'stateful-set-max-unavailable',
]);

const rulesByKind = new Map<PinionKind, ReadonlySet<string>>();

/** Returns whether only pinion can detect a problem: by a client-side rule or a documented limit. */
export function isClientSideProblem(problem: Problem, kind: PinionKind): boolean {
  let rules = rulesByKind.get(kind);
  if (!rules) rulesByKind.set(kind, (rules = new Set([...clientRules(shapeOf(schemaOf(kind))), ...nativeClientRules])));
  if (problem.rule !== undefined && (rules.has(problem.rule) || expansionRules.has(problem.rule))) return true;
  const path = formatPath(problem.path);
  return documentedLimits.some(([code, pattern]) => code === problem.code && pattern.test(path));
}

function clientRules(shape: Shape): readonly string[] {
  if (shape.kind === 'list') return clientRules(shape.items);
  if (shape.kind === 'map') return clientRules(shape.values);
  if (shape.kind !== 'object') return [];
  const clientSide = shape.rules.filter(({ where }) => where === 'client').map(({ name }) => name);
  return [...clientSide, ...shape.fields.flatMap((field) => clientRules(field.shape))];
}

const nativeClientRules = Object.values(nativeRules).flatMap(({ rules = [], checks = [] }) => [
  ...rules.filter(({ where }) => where === 'client').map(({ name }) => name),
  ...checks.map(({ name }) => name),
]);
