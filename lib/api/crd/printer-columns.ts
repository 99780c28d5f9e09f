import { type CustomResourceColumnDefinition } from '../native';

type Column = CustomResourceColumnDefinition;

/** Returns a column of `kubectl get`. */
export const column = (name: string, type: string, jsonPath: string): Column => ({ name, type, jsonPath });
/** Returns a column of text. */
export const textColumn = (name: string, jsonPath: string): Column => column(name, 'string', jsonPath);
/** Returns a column of a count. */
export const countColumn = (name: string, jsonPath: string): Column => column(name, 'integer', jsonPath);
/** Returns a column of a time, shown as an age. */
export const dateColumn = (name: string, jsonPath: string): Column => column(name, 'date', jsonPath);
/** Returns a column that only `kubectl get -o wide` shows. */
const wide = (one: Column): Column => ({ ...one, priority: 1 });

/** Status of the Ready condition. */
export const readyColumn = textColumn('Ready', '.status.conditions[?(@.type=="Ready")].status');
const reason = wide(textColumn('Reason', '.status.conditions[?(@.type=="Ready")].reason'));
/** Last columns of every kind: the reason of the Ready condition, and the age. */
export const lastColumns: readonly Column[] = [reason, dateColumn('Age', '.metadata.creationTimestamp')];
/** Last columns of every workload kind. */
export const lastWorkloadColumns: readonly Column[] = [
  wide(textColumn('Profile', '.status.runtimeProfile')),
  wide(textColumn('HeldSince', '.status.expansion.held.since')),
  ...lastColumns,
];

/** Columns of a workload with a number of replicas. */
export const replicaColumns: readonly Column[] = [
  countColumn('Replicas', '.status.replicas'),
  countColumn('ReadyPods', '.status.readyReplicas'),
  countColumn('Updated', '.status.updatedReplicas'),
];
