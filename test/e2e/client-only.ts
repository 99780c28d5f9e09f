import { formatPath, type PinionKind, type Problem } from '../../lib/api';
import { schemaOf } from '../../lib/api/schemas';
import { type Shape, shapeOf } from '../../lib/api/schema/field-tree';
import { nativeRules } from '../../lib/api/native';

/** Documented bounds: what we refuse though the schema of a definition takes it. */
const bounds: readonly (readonly [Problem['code'], RegExp])[] = [
  // No pattern says which schedules and time zones there are.
  ['bad-format', /\.(schedule|timeZone)$/],
  // Settings are of several types, and the server looks into no map of such.
  ['bad-format', /^spec\.sidecars(\.\w+|\["[^"]+"\])\.config\b/],
  ['wrong-type', /^spec\.sidecars(\.\w+|\["[^"]+"\])\.config\b/],
  ['unsupported-value', /^spec\.sidecars(\.\w+|\["[^"]+"\])\.config\b/],
  // Volumes of the pod and mounts of a part meet only when the pod is made.
  ['unknown-reference', /^spec\.sidecars(\.\w+|\["[^"]+"\])\.mounts\b/],
  // No server applies patches to objects that are not there yet.
  ['bad-patch', /^spec\.patches\b/],
  // The definitions are those of the newest Kubernetes that is supported.
  ['unsupported-field', /^spec\b/],
  // Keys and values of labels lie where a pattern would cost too much.
  ['bad-format', /\.(matchLabels|matchExpressions|nodeSelector)\b/],
  // Kubernetes warns of a port that is given twice; one of the two is always a mistake.
  ['duplicate', /\.ports\[\d+\]\.containerPort$/],
];

/** Rules about what a workload becomes, which the server meets only in the objects themselves. */
const expansionRules: ReadonlySet<string> = new Set([
  'container-bound',
  'mount-twice',
  'pod-security',
  'sidecar-port',
  'stateful-set-max-unavailable',
]);

const known = new Map<PinionKind, ReadonlySet<string>>();

/** True for a problem that the server cannot see: of a rule that only we evaluate, or of a documented bound. */
export function isSeenByUsAlone(problem: Problem, kind: PinionKind): boolean {
  let rules = known.get(kind);
  if (!rules) known.set(kind, (rules = new Set([...clientRules(shapeOf(schemaOf(kind))), ...nativeClientRules])));
  if (problem.rule !== undefined && (rules.has(problem.rule) || expansionRules.has(problem.rule))) return true;
  const place = formatPath(problem.path);
  return bounds.some(([code, path]) => code === problem.code && path.test(place));
}

function clientRules(shape: Shape): readonly string[] {
  if (shape.kind === 'list') return clientRules(shape.items);
  if (shape.kind === 'map') return clientRules(shape.values);
  if (shape.kind !== 'object') return [];
  const own = shape.rules.filter(({ where }) => where === 'client').map(({ name }) => name);
  return [...own, ...shape.fields.flatMap((field) => clientRules(field.shape))];
}

const nativeClientRules = Object.values(nativeRules).flatMap(({ rules = [], checks = [] }) => [
  ...rules.filter(({ where }) => where === 'client').map(({ name }) => name),
  ...checks.map(({ name }) => name),
]);
