import { type Values } from './plan-values';

/** Kubelet settings of a plan, with the names of `kubelet.config.k8s.io/v1beta1`. */
export interface KubeletRates {
  readonly kubeAPIQPS: number;
  readonly kubeAPIBurst: number;
  readonly eventRecordQPS: number;
  readonly eventBurst: number;
}

/** Returns the rates of each kubelet; its maximum pods are in the node group. */
export const kubeletRates = (values: Values): KubeletRates => ({
  kubeAPIQPS: values.kubeletQps.value,
  kubeAPIBurst: values.kubeletBurst.value,
  eventRecordQPS: values.kubeletEventQps.value,
  eventBurst: values.kubeletEventBurst.value,
});

/** Configuration of the admission plugin EventRateLimit. */
export interface EventRateLimit {
  readonly apiVersion: 'eventratelimit.admission.k8s.io/v1alpha1';
  readonly kind: 'Configuration';
  readonly limits: readonly {
    readonly type: 'Server' | 'Namespace' | 'User' | 'SourceAndObject';
    readonly qps: number;
    readonly burst: number;
    readonly cacheSize?: number;
  }[];
}

/** Returns the EventRateLimit configuration for `--admission-control-config-file`. */
export const eventRateLimit = (values: Values): EventRateLimit => ({
  apiVersion: 'eventratelimit.admission.k8s.io/v1alpha1',
  kind: 'Configuration',
  limits: [
    { type: 'Server', qps: values.eventRateServerQps.value, burst: values.eventRateServerBurst.value },
    {
      type: 'Namespace',
      qps: values.eventRateNamespaceQps.value,
      burst: values.eventRateNamespaceBurst.value,
      cacheSize: values.eventRateNamespaceCacheSize.value,
    },
    {
      type: 'User',
      qps: values.eventRateUserQps.value,
      burst: values.eventRateUserBurst.value,
      cacheSize: values.eventRateUserCacheSize.value,
    },
    { type: 'SourceAndObject', qps: values.eventRateObjectQps.value, burst: values.eventRateObjectBurst.value },
  ],
});

/** Returns the environment variables of the API server, which configure its garbage collector. */
export const apiServerEnvironment = (values: Values): Readonly<Record<'GOMEMLIMIT' | 'GOGC', string>> => ({
  GOMEMLIMIT: `${values.goMemLimitBytes.value}`,
  GOGC: String(values.goGcPercent.value),
});
