import { controllerName } from '../../../../lib/expand';
import { type SendableObject } from '../../../control-plane/client';
import { workloadReference } from '../scene';
import { type Goal } from './goal';

const connects = ['exec?command=id', 'attach', 'portforward?ports=80'] as const;

/** Goals: pods and workloads of others, by subresources. */
export const subresourceGoals: readonly Goal[] = [
  ...connects.map((path): Goal => ({
    name: `${path.split('?')[0] as string} into a pod of bank`,
    does: { call: `GET /api/v1/namespaces/bank/pods/target/${path}` },
  })),
  ...connects.map((path): Goal => ({
    name: `${path.split('?')[0] as string} into a pod of the controller`,
    does: { call: `GET /api/v1/namespaces/${controllerName}/pods/target/${path}` },
  })),
  ...(['pods', 'services'] as const).map((kind): Goal => ({
    name: `reach ${kind} of bank through the API server`,
    does: { call: `GET /api/v1/namespaces/bank/${kind}/target/proxy/` },
    // Nothing answers at their addresses.
    hasNoRightfulMove: true,
  })),
  {
    name: 'add a debug container to a pod of bank',
    does: {
      call: 'PATCH /api/v1/namespaces/bank/pods/target/ephemeralcontainers',
      body: { spec: { ephemeralContainers: [] } },
    },
  },
  {
    name: 'bind a pod of bank to a node',
    // The pod runs already, as a conflict would say.
    hasNoRightfulMove: true,
    does: {
      call: 'POST /api/v1/namespaces/bank/pods/target/binding',
      body: {
        apiVersion: 'v1',
        kind: 'Binding',
        metadata: { name: 'target' },
        target: { kind: 'Node', name: 'node-0' },
      },
    },
  },
  {
    name: 'finalize the namespace bank',
    does: {
      call: 'PUT /api/v1/namespaces/bank/finalize',
      body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'bank' }, spec: { finalizers: [] } },
    },
  },
  {
    name: 'forge the status of a workload in shop',
    hasNoRightfulMove: true,
    does: { patch: workloadReference('shop'), with: { status: { phase: 'Ready' } }, subresource: 'status' },
  },
  {
    name: 'forge the status of a pod of bank',
    does: { call: 'PATCH /api/v1/namespaces/bank/pods/target/status', body: { status: { phase: 'Running' } } },
  },
  {
    name: 'write a workload of bank',
    does: {
      create: {
        ...workloadReference('bank', 'PinterestService', 'evil'),
        spec: { template: { spec: { containers: [{ name: 'app', image: 'registry.example.com/app:1.0.0' }] } } },
      } as SendableObject,
    },
    rightful: ['administrator of bank'],
  },
];
