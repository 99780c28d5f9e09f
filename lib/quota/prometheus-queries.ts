/** PromQL of a resource by namespace, with the metrics of kube-state-metrics and of the kubelet's cAdvisor. */
export interface UsageQuery {
  /** Quota resource, or a resource that containers consume: `cpu`, `memory`. */
  readonly resource: string;
  readonly type: 'requested' | 'consumed';
  readonly expression: string;
}

/** Pods that have not finished. */
const activePods = 'max by (namespace, pod) (kube_pod_status_phase{phase=~"Pending|Running|Unknown"} == 1)';

/**
 * Returns the query of container requests of active pods, including sidecars (init containers that always restart). Other
 * init containers,
 * which count only while a pod starts, and the overhead of runtime classes are excluded.
 */
function containerQuery(type: 'requests' | 'limits', resource: string): string {
  const metric = (kind: string): string =>
    `max by (namespace, pod, container) (${kind}_resource_${type}{resource="${resource}"})`;
  const sidecars = 'max by (namespace, pod, container) (kube_pod_init_container_info{restart_policy="Always"})';
  const podSum = (amounts: string): string =>
    `sum by (namespace) ((${amounts}) * on (namespace, pod) group_left () ${activePods})`;
  return oneOrBoth(
    podSum(metric('kube_pod_container')),
    podSum(`${metric('kube_pod_init_container')} * on (namespace, pod, container) ${sidecars}`),
  );
}

/** Returns the sum of two vectors that may each lack a namespace. */
const oneOrBoth = (a: string, b: string): string =>
  `sum by (namespace) (label_replace(${a}, "of", "a", "", "") or label_replace(${b}, "of", "b", "", ""))`;

/** Returns the API server's own count if a ResourceQuota has it, otherwise the fallback. */
const usedOrElse = (resource: string, fallback: string): string =>
  `max by (namespace) (kube_resourcequota{type="used", resource="${resource}"}) or (${fallback})`;

/** Returns the name of a resource in kube-state-metrics labels: characters except letters, digits and underscores become underscores. */
const labelValue = (name: string): string => name.replace(/[^A-Za-z0-9_]/g, '_');

/** Returns all queries; extended resources, such as `nvidia.com/gpu`, only if named. */
export function usageQueries(extended: readonly string[] = []): readonly UsageQuery[] {
  const requestQuery = (resource: string, fallback: string): UsageQuery => ({
    resource,
    type: 'requested',
    expression: usedOrElse(resource, fallback),
  });
  const container = 'container!="",image!=""';
  return [
    requestQuery('pods', `sum by (namespace) (${activePods})`),
    requestQuery('requests.cpu', containerQuery('requests', 'cpu')),
    requestQuery('requests.memory', containerQuery('requests', 'memory')),
    requestQuery('limits.memory', containerQuery('limits', 'memory')),
    ...extended.map((name) => requestQuery(`requests.${name}`, containerQuery('requests', labelValue(name)))),
    requestQuery('requests.storage', 'sum by (namespace) (kube_persistentvolumeclaim_resource_requests_storage_bytes)'),
    requestQuery('persistentvolumeclaims', 'count by (namespace) (kube_persistentvolumeclaim_info)'),
    {
      resource: 'cpu',
      type: 'consumed',
      expression: `sum by (namespace) (rate(container_cpu_usage_seconds_total{${container}}[5m]))`,
    },
    {
      resource: 'memory',
      type: 'consumed',
      expression: `sum by (namespace) (container_memory_working_set_bytes{${container}})`,
    },
  ];
}
