/** How a resource is asked for in PromQL, by namespace, under the names of kube-state-metrics and of the kubelet's cAdvisor. */
export interface UsageQuery {
  /** Resource of quotas, or what containers consume: `cpu`, `memory`. */
  readonly resource: string;
  readonly is: 'asked' | 'consumed';
  readonly expression: string;
}

/** Pods that count: one that ended does not. */
const living = 'max by (namespace, pod) (kube_pod_status_phase{phase=~"Pending|Running|Unknown"} == 1)';

/**
 * What containers of living pods ask for, sidecars (init containers that restart always) included. Other init containers, which
 * ask for more only while a pod starts, and the overhead of runtime classes are left out.
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

/** The sum of two vectors where each may lack a namespace. */
const oneOrBoth = (a: string, b: string): string =>
  `sum by (namespace) (label_replace(${a}, "of", "a", "", "") or label_replace(${b}, "of", "b", "", ""))`;

/** The API server's own count, where a ResourceQuota has it, else what is found otherwise. */
const counted = (resource: string, otherwise: string): string =>
  `max by (namespace) (kube_resourcequota{type="used", resource="${resource}"}) or (${otherwise})`;

/** Name of a resource in labels of kube-state-metrics: all but letters, digits and underscores replaced. */
const labelled = (name: string): string => name.replace(/[^A-Za-z0-9_]/g, '_');

/** All queries; extended resources, such as `nvidia.com/gpu`, only those that are named. */
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
