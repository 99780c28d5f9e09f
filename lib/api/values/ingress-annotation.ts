/**
 * Keys of annotations of Ingresses that no Platform can allow, in lower case, as a pattern of CEL: they insert
 * configuration of the ingress controller, or host names and classes past the fields of the Ingress.
 */
export const unsafeAnnotationPattern =
  'snippet|/(ingress[.]class|server-alias.*|host-aliases|from-to-www-redirect|redirect-from.*|config-(backend|frontend|global|defaults|tcp).*|conditions[.].*|hostname|internal-hostname)$';
const unsafeForm = new RegExp(unsafeAnnotationPattern);
const configurationForm = /snippet|\/config-[^/]*$/;

/** Returns whether no Platform can allow projects to set an annotation of Ingresses. */
export const isUnsafeAnnotation = (key: string): boolean => unsafeForm.test(key.toLowerCase());

/** Returns whether an entry of allowed annotations, which may end with a star, can allow no annotation. */
export const allowsNoAnnotation = (entry: string): boolean =>
  entry.endsWith('*')
    ? // The star stands for any suffix, also an empty one.
      isUnsafeAnnotation(entry.slice(0, -1)) && isUnsafeAnnotation(`${entry.slice(0, -1)}x`)
    : isUnsafeAnnotation(entry);

/** Returns why no Platform can allow an annotation, and what workloads and Platforms use instead. */
export function unsafeAnnotationAdvice(key: string): {
  readonly reason: string;
  readonly workload: string;
  readonly platform: string;
} {
  const lower = key.toLowerCase();
  if (configurationForm.test(lower))
    return {
      reason: 'inserts configuration of the ingress controller, so no Platform can allow it to projects',
      workload:
        'remove it; use an annotation with one setting, or ask the platform team to set it for all projects in spec.ingress.internal.annotations or spec.ingress.external.annotations of the Platform',
      platform:
        'remove it; allow an annotation with one setting, or set it for all projects in spec.ingress.internal.annotations or spec.ingress.external.annotations',
    };
  if (/ingress[.]class/.test(lower))
    return {
      reason: 'selects an ingress class past the exposure, so no Platform can allow it to projects',
      workload: 'remove it; set spec.loadBalancer.exposure, from which the class follows',
      platform: 'remove it; set ingressClassName in spec.ingress.internal or spec.ingress.external',
    };
  return {
    reason: 'adds host names or routes past the rules of the Ingress, so no Platform can allow it to projects',
    workload: 'remove it; list further names of the project in spec.loadBalancer.hosts',
    platform: 'remove it; list further names of a project in spec.hosts of the Project',
  };
}
