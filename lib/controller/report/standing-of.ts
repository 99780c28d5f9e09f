import { conditionOf, trueCondition } from '../../api';
import { type KubernetesObject } from '../../expand';
import { type Child } from '../observed/child';
import { fieldsOf, textOf } from '../observed/child-status';
import { daemonSetStanding, deploymentStanding, statefulSetStanding } from './rollout-standing';
import { type Standing } from './standing';

const ready: Standing = { state: 'Ready' };
const missing: Standing = { state: 'Missing', message: 'does not exist yet' };
const terminating: Standing = { state: 'Terminating', reason: 'Terminating', message: 'is being deleted' };

/** How an object that should be stands, in the conventions of kstatus; one of a kind without a status is ready when it exists. */
export function standingOf(desired: KubernetesObject, child: Child | undefined): Standing {
  if (!child) return missing;
  if (child.deleting) return terminating;
  const judge = judges[desired.kind];
  return judge ? judge(desired, child) : ready;
}

const judges: Readonly<Record<string, (desired: KubernetesObject, child: Child) => Standing>> = {
  Deployment: deploymentStanding,
  StatefulSet: statefulSetStanding,
  DaemonSet: daemonSetStanding,
  Job: (_, child) => jobStanding(child),
  CronJob: (desired) => (fieldsOf(desired, 'spec')['suspend'] === true ? { state: 'Suspended' } : ready),
  PersistentVolumeClaim: (_, child) => claimStanding(child),
  Namespace: (_, { status }) => (textOf(status, 'phase') === 'Terminating' ? terminating : ready),
  CustomResourceDefinition: (_, { status }) =>
    trueCondition(status, 'Established') ? ready : { state: 'Progressing', message: 'is not served yet' },
};

function jobStanding({ status }: Child): Standing {
  if (trueCondition(status, 'Complete')) return { state: 'Succeeded' };
  if (trueCondition(status, 'Failed')) return { state: 'Failed' };
  if (trueCondition(status, 'Suspended')) return { state: 'Suspended' };
  return { state: textOf(status, 'startTime') === undefined ? 'Pending' : 'Running' };
}

function claimStanding({ status }: Child): Standing {
  const phase = textOf(status, 'phase');
  if (phase === 'Lost') return { state: 'Failed', message: 'has lost its volume' };
  if (phase !== 'Bound') return { state: 'Pending' };
  const resizes = ['Resizing', 'FileSystemResizePending'].some((type) => conditionOf(status, type)?.status === 'True');
  return resizes ? { state: 'Resizing' } : ready;
}
