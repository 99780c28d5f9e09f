import { type DiagnosisStep } from './alert';

/** Options of commands that connect to etcd; the certificates are those of etcdctl. */
const etcdOptions = '--endpoints URLS --cacert FILE --cert FILE --key FILE';

/** Takes a snapshot of etcd and shows what uses its space. */
const analyzeEtcd = `pinion etcd snapshot ${etcdOptions} now.db && pinion etcd analyze --quota SIZE now.db`;

/** Names etcd commands in a mitigation, where a diagnosis step already shows one with the same options. */
export const etcdCommands = (...subcommands: readonly string[]): string =>
  `${subcommands.map((subcommand) => `\`pinion etcd ${subcommand}\``).join(' and ')} (options as above)`;

/** A step that summarizes the audit log of the API server. */
export const auditStep = (check: string): DiagnosisStep => ({
  check,
  command: 'pinion audit /var/log/kubernetes/apiserver/audit.log',
});

/** A step that searches the metrics of the API server. */
export const apiServerMetricStep = (check: string, metric: string): DiagnosisStep => ({
  check,
  command: `kubectl get --raw /metrics | grep ${metric}`,
});

/** A step that lists the readiness checks of the API server. */
export const readyzStep = (check: string): DiagnosisStep => ({ check, command: "kubectl get --raw '/readyz?verbose'" });

/** A step that shows the CPU profile of the API server. */
export const apiServerCpuStep = (check: string): DiagnosisStep => ({
  check,
  command: 'pinion profile apiserver --cpu',
});

/** A step that shows the heap of the API server. */
export const apiServerHeapStep = (check: string): DiagnosisStep => ({
  check,
  command: 'pinion profile apiserver --heap',
});

/** A step that shows the status of each etcd member. */
export const etcdStatusStep = (check = 'the status of each member: leader, size, errors'): DiagnosisStep => ({
  check,
  command: `pinion etcd status ${etcdOptions}`,
});

/** A step that shows what etcd stores. */
export const etcdContentsStep = (check = 'which resources, namespaces and writers use the space'): DiagnosisStep => ({
  check,
  command: analyzeEtcd,
});
