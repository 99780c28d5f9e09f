import { checkObjects } from './check-objects';
import { type ClusterSnapshot } from './cluster-snapshot';
import { checkWorkloads } from './check-workloads';
import { type User } from './user';

/** Returns problems of the workloads of a user and of their objects. */
export const findProblems = (snapshot: ClusterSnapshot, user: User): string[] => [
  ...checkWorkloads(snapshot, user),
  ...checkObjects(snapshot),
];
