/** Domains of the labels and annotations by which Kubernetes and deployment tools track their own objects. */
const toolDomains = new Set([
  'alpha.jobset.sigs.k8s.io',
  'apps.kubernetes.io',
  'argocd.argoproj.io',
  'batch.kubernetes.io',
  'control-plane.alpha.kubernetes.io',
  'deployment.kubernetes.io',
  'endpoints.kubernetes.io',
  'helm.sh',
  'helm.toolkit.fluxcd.io',
  'jobset.sigs.k8s.io',
  'kubectl.kubernetes.io',
  'kustomize.toolkit.fluxcd.io',
  'meta.helm.sh',
  'statefulset.kubernetes.io',
]);
const toolKeys = new Set([
  'app.kubernetes.io/managed-by',
  'controller-revision-hash',
  'controller-uid',
  'deprecated.daemonset.template.generation',
  'job-name',
  'pod-template-generation',
  'pod-template-hash',
]);

/** Returns whether a label or annotation only serves a tool, so that an import may omit it. */
export const isToolKey = (key: string): boolean => toolKeys.has(key) || toolDomains.has(key.split('/')[0] ?? '');

/** Labels of charts from before Helm had a domain; only where `heritage` says that Helm set them. */
const oldHelmKeys = new Set(['heritage', 'chart']);

/** Returns labels or annotations without those of tools. */
export function withoutToolKeys<T>(map: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  const isHelm = ['Helm', 'Tiller'].includes(String(map['heritage']));
  return Object.fromEntries(
    Object.entries(map).filter(([key]) => !isToolKey(key) && !(isHelm && oldHelmKeys.has(key))),
  );
}
