import { isPlainObject, podTemplatesOf, type FieldPath, type Problem, type Workload } from '../../api';
import { type KubernetesObject } from '../objects/kubernetes-object';

type Annotations = Readonly<Record<string, string>>;

/** Maximum size of the annotations of an object, in bytes: `TotalAnnotationSizeLimitB` of Kubernetes. */
const maxBytes = 262_144;
/** Size below which a workload's annotations fit, whatever the platform adds. */
const surelyFits = maxBytes / 2;

/**
 * Reports annotations that together exceed the limit of an object.
 *
 * Annotations of the workload apply to all its objects, and those of the template to its pods as well: each can be valid
 * while the API server rejects an object.
 */
export function annotationProblems(
  workload: Workload,
  objects: readonly KubernetesObject[],
  report: (problem: Problem) => void,
): void {
  const sources = sourcesOf(workload);
  if (sources.reduce((sum, { annotations }) => sum + atMostBytes(annotations), 0) < surelyFits) return;
  const largest = objects.flatMap(annotationsOf).reduce((most, annotations) => Math.max(most, bytesOf(annotations)), 0);
  if (largest <= maxBytes) return;
  const [cause] = [...sources].sort((a, b) => bytesOf(b.annotations) - bytesOf(a.annotations));
  report({
    code: 'out-of-range',
    path: cause?.path ?? ['spec', 'annotations'],
    reason: `makes the annotations of an object ${Math.ceil(largest / 1024)} KiB large, and Kubernetes allows ${maxBytes / 1024} KiB`,
    remedy: 'move large texts to spec.config.files',
    rule: 'annotation-size',
  });
}

interface Source {
  readonly annotations: Annotations;
  readonly path: FieldPath;
}

/** Lists the annotations that a workload declares. */
function sourcesOf(workload: Workload): Source[] {
  const { metadata, spec } = workload;
  const balancer = 'loadBalancer' in spec ? spec.loadBalancer?.annotations : undefined;
  const declared: readonly (readonly [Annotations | undefined, FieldPath])[] = [
    [metadata.annotations, ['metadata', 'annotations']],
    [spec.annotations, ['spec', 'annotations']],
    [balancer, ['spec', 'loadBalancer', 'annotations']],
    ...podTemplatesOf(workload).map(
      ({ template, path }) => [template.metadata?.annotations, [...path, 'metadata', 'annotations']] as const,
    ),
  ];
  return declared.flatMap(([annotations, path]) => (annotations ? [{ annotations, path }] : []));
}

/** Lists the annotations of an object and of the templates in it. */
function annotationsOf({ metadata, spec }: KubernetesObject): Annotations[] {
  const own = metadata.annotations ? [metadata.annotations] : [];
  return [...own, ...annotationsOfTemplates(spec)];
}

function annotationsOfTemplates(spec: unknown): Annotations[] {
  if (!isPlainObject(spec)) return [];
  return ['jobTemplate', 'template'].flatMap((field) => {
    const template = spec[field] as { metadata?: { annotations?: Annotations }; spec?: unknown } | undefined;
    const annotations = template?.metadata?.annotations;
    return [...(annotations ? [annotations] : []), ...annotationsOfTemplates(template?.spec)];
  });
}

const encoder = new TextEncoder();
const utf8Length = (text: string): number => encoder.encode(text).length;

/** Returns a bound of the size: a UTF-16 unit has at most three bytes in UTF-8. */
function atMostBytes(annotations: Annotations): number {
  let units = 0;
  for (const key in annotations) units += key.length + (annotations[key] as string).length;
  return 3 * units;
}

const bytesOf = (annotations: Annotations): number =>
  Object.entries(annotations).reduce((sum, [key, value]) => sum + key.length + utf8Length(value), 0);
