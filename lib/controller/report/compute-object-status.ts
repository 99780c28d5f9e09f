import { conditionOf, trueCondition } from '../../api';
import { type KubernetesObject } from '../../expand';
import { type Child } from '../observed/child';
import { fieldsOf, statusString } from '../observed/child-status';
import { daemonSetStatus, deploymentStatus, statefulSetStatus } from './rollout-status';
import { type ObjectStatus } from './object-status';

const ready: ObjectStatus = { state: 'Ready' };
const missing: ObjectStatus = { state: 'Missing', message: 'does not exist yet' };
const terminating: ObjectStatus = { state: 'Terminating', reason: 'Terminating', message: 'is being deleted' };

/**
 * Returns the status of a desired object, by the conventions of kstatus; kinds without a status are ready when they
 * exist.
 */
export function computeObjectStatus(desired: KubernetesObject, child: Child | undefined): ObjectStatus {
  if (!child) return missing;
  if (child.deleting) return terminating;
  const computeStatus = statusFunctions[desired.kind];
  return computeStatus ? computeStatus(desired, child) : ready;
}

const statusFunctions: Readonly<Record<string, (desired: KubernetesObject, child: Child) => ObjectStatus>> = {
  Deployment: deploymentStatus,
  StatefulSet: statefulSetStatus,
  DaemonSet: daemonSetStatus,
  Job: (_, child) => jobStatus(child),
  CronJob: (desired) => (fieldsOf(desired, 'spec')['suspend'] === true ? { state: 'Suspended' } : ready),
  PersistentVolumeClaim: (_, child) => claimStatus(child),
  Namespace: (_, { status }) => (statusString(status, 'phase') === 'Terminating' ? terminating : ready),
  CustomResourceDefinition: (_, { status }) =>
    trueCondition(status, 'Established') ? ready : { state: 'Progressing', message: 'is not served yet' },
};

function jobStatus({ status }: Child): ObjectStatus {
  if (trueCondition(status, 'Complete')) return { state: 'Succeeded' };
  if (trueCondition(status, 'Failed')) return { state: 'Failed' };
  if (trueCondition(status, 'Suspended')) return { state: 'Suspended' };
  return { state: statusString(status, 'startTime') === undefined ? 'Pending' : 'Running' };
}

function claimStatus({ status }: Child): ObjectStatus {
  const phase = statusString(status, 'phase');
  if (phase === 'Lost') return { state: 'Failed', message: 'has lost its volume' };
  if (phase !== 'Bound') return { state: 'Pending' };
  const isResizing = ['Resizing', 'FileSystemResizePending'].some(
    (type) => conditionOf(status, type)?.status === 'True',
  );
  return isResizing ? { state: 'Resizing' } : ready;
}
