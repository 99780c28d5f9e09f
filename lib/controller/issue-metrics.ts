import { Gauge, type Registry } from 'prom-client';
import { textAt } from '../api';
import { type InformerStores } from './observed/informer-stores';
import { WorkloadIssues, type WorkloadIssue } from './report/workload-issues';

/** Maximum number of workloads that the metric names for each issue: a fault of the cluster may affect all. */
const maxWorkloads = 200;
/** Label value of the workloads beyond that number. */
const other = 'other';

/** Registers the metric of workloads with an issue that an alert reports to their team. */
export function registerIssueMetrics(
  registry: Registry,
  stores: Pick<InformerStores, 'resource' | 'children' | 'ownedBy'>,
  now: () => number,
): void {
  const issues = new WorkloadIssues(stores, now);
  new Gauge({
    name: 'pinion_workload_issues',
    help: `Workloads with an issue: 1 for each of up to ${maxWorkloads} by issue, and a count of the ${other}s.`,
    labelNames: ['issue', 'kind', 'project', 'workload', 'on_call'],
    registers: [registry],
    collect() {
      this.reset();
      const named = new Map<string, Set<string>>();
      for (const found of issues.list()) {
        const { issue, kind, project, workload } = found;
        const workloads = named.get(issue) ?? new Set<string>();
        named.set(issue, workloads);
        if (workloads.size < maxWorkloads || workloads.has(keyOf(found))) {
          workloads.add(keyOf(found));
          const onCall = textAt(stores.resource('Project', '', project), 'spec', 'onCall') ?? '';
          this.set({ issue, kind, project, workload, on_call: onCall }, 1);
        } else this.inc({ issue, kind, project: other, workload: other, on_call: '' });
      }
    },
  });
}

/** Variants of a service have an autoscaler each. */
const keyOf = ({ kind, project, workload }: WorkloadIssue): string => `${kind}/${project}/${workload}`;
