/** Domains of the labels and annotations by which Kubernetes and deployment tools track their own objects. */
const toolDomains = new Set([
  'apps.kubernetes.io',
  'argocd.argoproj.io',
  'batch.kubernetes.io',
  'control-plane.alpha.kubernetes.io',
  'deployment.kubernetes.io',
  'endpoints.kubernetes.io',
  'helm.sh',
  'helm.toolkit.fluxcd.io',
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

/** Returns labels or annotations without those of tools. */
export const withoutToolKeys = <T>(map: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(map).filter(([key]) => !isToolKey(key)));
