/** PromQL of a resource by namespace, with the metrics of kube-state-metrics and of the kubelet's cAdvisor. */
export interface UsageQuery {
  /** Quota resource, or what containers consume: `cpu`, `memory`. */
  readonly resource: string;
  readonly is: 'asked' | 'consumed';
  readonly expression: string;
}

/** Counted pods: those that have not ended. */
const living = 'max by (namespace, pod) (kube_pod_status_phase{phase=~"Pending|Running|Unknown"} == 1)';

/**
 * Requests of containers of active pods, including sidecars (init containers that always restart). Other init containers,
 * which count only while a pod starts, and the overhead of runtime classes are excluded.
 */
function ofContainers(what: 'requests' | 'limits', resource: string): string {
  const metric = (kind: string): string =>
    `max by (namespace, pod, container) (${kind}_resource_${what}{resource="${resource}"})`;
  const sidecars = 'max by (namespace, pod, container) (kube_pod_init_container_info{restart_policy="Always"})';
  const counted = (amounts: string): string =>
    `sum by (namespace) ((${amounts}) * on (namespace, pod) group_left () ${living})`;
  return oneOrBoth(
    counted(metric('kube_pod_container')),
    counted(`${metric('kube_pod_init_container')} * on (namespace, pod, container) ${sidecars}`),
  );
}

/** Returns the sum of two vectors that may each lack a namespace. */
const oneOrBoth = (a: string, b: string): string =>
  `sum by (namespace) (label_replace(${a}, "of", "a", "", "") or label_replace(${b}, "of", "b", "", ""))`;

/** Returns the API server's own count if a ResourceQuota has it, otherwise the fallback. */
const counted = (resource: string, otherwise: string): string =>
  `max by (namespace) (kube_resourcequota{type="used", resource="${resource}"}) or (${otherwise})`;

/** Returns the name of a resource in labels of kube-state-metrics: other characters than letters, digits and underscores replaced. */
const labelled = (name: string): string => name.replace(/[^A-Za-z0-9_]/g, '_');

/** Returns all queries; extended resources, such as `nvidia.com/gpu`, only if named. */
export function usageQueries(extended: readonly string[] = []): readonly UsageQuery[] {
  const asked = (resource: string, otherwise: string): UsageQuery => ({
    resource,
    is: 'asked',
    expression: counted(resource, otherwise),
  });
  const container = 'container!="",image!=""';
  return [
    asked('pods', `sum by (namespace) (${living})`),
    asked('requests.cpu', ofContainers('requests', 'cpu')),
    asked('requests.memory', ofContainers('requests', 'memory')),
    asked('limits.memory', ofContainers('limits', 'memory')),
    ...extended.map((name) => asked(`requests.${name}`, ofContainers('requests', labelled(name)))),
    asked('requests.storage', 'sum by (namespace) (kube_persistentvolumeclaim_resource_requests_storage_bytes)'),
    asked('persistentvolumeclaims', 'count by (namespace) (kube_persistentvolumeclaim_info)'),
    {
      resource: 'cpu',
      is: 'consumed',
      expression: `sum by (namespace) (rate(container_cpu_usage_seconds_total{${container}}[5m]))`,
    },
    {
      resource: 'memory',
      is: 'consumed',
      expression: `sum by (namespace) (container_memory_working_set_bytes{${container}})`,
    },
  ];
}
