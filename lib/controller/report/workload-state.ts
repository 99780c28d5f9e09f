import { type Workload, type WorkloadKind } from '../../api';
import { type DesiredObjectStatus } from './desired-object-status';
import { type ReportInput } from './report';

/** Workload and the state of its objects, from which its status is computed. */
export interface WorkloadState<K extends WorkloadKind = WorkloadKind> {
  readonly workload: Workload<K>;
  readonly input: ReportInput;
  readonly statuses: readonly DesiredObjectStatus[];
}
