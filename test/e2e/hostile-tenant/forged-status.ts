import { apiVersion, group } from '../../../lib/api';
import { type SendableObject } from '../../control-plane/client';
import { memberRoles, statusWriterFor } from './actors';
import { allowed, type ApiRequest, type Attack, type AttackTable, harmless, refusedBy } from './attack';
import { objectOf } from './goals/goal';
import { cart } from './members';
import { outcomeOf } from './run-attacks';
import { statusNatives, statusWorkloads } from './status-targets';
import { specs } from './workload-specs';

const condition = (type: string) => ({
  type,
  status: 'True',
  reason: 'Forged',
  message: 'forged',
  lastTransitionTime: '2026-01-01T00:00:00Z',
});
/** The status that releases gates and promotes a version. */
const ready = { status: { observedGeneration: 1, phase: 'Ready', conditions: [condition('Ready')] } };
const forge = (object: SendableObject, status: object = ready): ApiRequest => ({
  patch: object,
  with: status,
  subresource: 'status',
});
const titleOf = ({ kind, metadata: { namespace = '' } }: SendableObject): string => `a ${kind} of ${namespace}`;

/** The status of each kind by members, also by those whom an administrator let write it. */
const ofWorkloads = statusWorkloads.flatMap((object) =>
  memberRoles.flatMap((role): Attack[] => [
    {
      name: `${role}: forge the status of ${titleOf(object)}`,
      as: role,
      does: forge(object),
      expects: refusedBy('rbac'),
    },
    {
      name: `${statusWriterFor(role)}: forge the status of ${titleOf(object)}`,
      as: statusWriterFor(role),
      does: forge(object),
      expects: refusedBy(`status-writes.${group}`),
    },
  ]),
);

/** A forged status of each native kind, from which the controller would compute Ready. */
const nativeStatus: Readonly<Record<string, object>> = {
  Deployment: { replicas: 1, readyReplicas: 1, availableReplicas: 1, updatedReplicas: 1 },
  ReplicaSet: { replicas: 1, readyReplicas: 1, availableReplicas: 1 },
  StatefulSet: { replicas: 1, readyReplicas: 1, availableReplicas: 1, updatedReplicas: 1 },
  DaemonSet: { numberReady: 1, numberAvailable: 1 },
  Job: {
    startTime: '2026-01-01T00:00:00Z',
    completionTime: '2026-01-01T00:00:00Z',
    succeeded: 1,
    conditions: [condition('SuccessCriteriaMet'), condition('Complete')],
  },
  CronJob: { lastSuccessfulTime: '2026-01-01T00:00:00Z' },
  Pod: { phase: 'Running', conditions: [condition('Ready')] },
  PodDisruptionBudget: { disruptionsAllowed: 9 },
  HorizontalPodAutoscaler: { desiredReplicas: 9 },
  ResourceQuota: { used: { pods: '0' } },
};
const ofNatives = statusNatives.flatMap((object) =>
  memberRoles.flatMap((role): Attack[] => [
    {
      name: `${role}: forge the status of ${titleOf(object)}`,
      as: role,
      does: forge(object, { status: nativeStatus[object.kind] }),
      expects: refusedBy('rbac'),
    },
    {
      name: `${statusWriterFor(role)}: forge the status of ${titleOf(object)}`,
      as: statusWriterFor(role),
      does: forge(object, { status: nativeStatus[object.kind] }),
      expects: refusedBy(`protected-objects.${group}`),
    },
  ]),
);

const pod = statusNatives.find(({ kind }) => kind === 'Pod') as SendableObject;
const writer = statusWriterFor('edit');
/** The status of a pod, which add-ons of the platform write in part. */
const ofPods: readonly Attack[] = [
  {
    name: 'report the containers of a pod of shop as ready',
    as: writer,
    does: forge(pod, {
      status: {
        containerStatuses: [{ name: 'app', ready: true, restartCount: 0, image: 'evil', imageID: 'evil' }],
      },
    }),
    expects: refusedBy(`protected-objects.${group}`),
  },
  {
    name: 'send traffic of a Service to another address by the status of a pod of shop',
    as: writer,
    does: forge(pod, { status: { podIP: '10.9.9.9', podIPs: [{ ip: '10.9.9.9' }] } }),
    expects: refusedBy(`protected-objects.${group}`),
  },
  {
    name: 'let a failed pod of shop count as disrupted',
    as: writer,
    does: forge(pod, { status: { conditions: [condition('DisruptionTarget')] } }),
    expects: refusedBy(`protected-objects.${group}`),
  },
  {
    name: 'forge the proof of a pod of shop by its status',
    as: writer,
    does: forge(pod, { metadata: { annotations: { [`${group}/artifact`]: 'shop/web@1' } } }),
    expects: refusedBy(`protected-objects.${group}`),
  },
  {
    name: 'an add-on reports a readiness gate of a pod of shop',
    as: writer,
    // As add-ons do: a merge patch would replace the conditions of the kubelet.
    async does({ client }) {
      const path = '/api/v1/namespaces/shop/pods/status/status';
      const gate = { status: { conditions: [condition('target-health.example.com/web')] } };
      const contentType = 'application/strategic-merge-patch+json';
      return outcomeOf(await client.request('PATCH', path, gate, { contentType, dryRun: true }));
    },
    expects: allowed,
  },
  {
    name: 'an add-on annotates a pod of shop by its status',
    as: writer,
    does: forge(pod, { metadata: { annotations: { 'cni.example.com/pod-ip': '10.0.0.1' } } }),
    expects: allowed,
  },
];

const created = objectOf(apiVersion, 'PinterestService', 'forged', { spec: specs.PinterestService, ...ready }, 'plain');
/** The status beside the spec, which the API server drops. */
const besideSpec: readonly Attack[] = [
  {
    name: 'edit: change the status of a workload of plain without its subresource',
    as: 'edit',
    does: { patch: cart('plain'), with: ready },
    expects: harmless(async ({ client }) => {
      const { body } = await client.get(cart('plain'));
      if (JSON.stringify(body).includes('Forged')) throw new Error('the forged status was stored');
    }),
  },
  {
    name: 'edit: create a workload with a status',
    as: 'edit',
    does: { create: created },
    expects: harmless(async ({ scene }) => {
      const { status, body } = await scene.cluster.client.get(created);
      if (status !== 200) throw new Error(`the workload was not created: ${status}`);
      if (JSON.stringify(body).includes('Forged')) throw new Error('the forged status was stored');
    }),
  },
];

/** Writes of status, by which a workload would look Ready and a version would be promoted. */
export const forgedStatus: AttackTable = {
  title: 'forged status',
  attacks: [...ofWorkloads, ...ofNatives, ...ofPods, ...besideSpec],
};
