import { apiVersion, type WorkloadKind, workloadKinds } from '../../../lib/api';
import { type SendableObject } from '../../control-plane/client';
import { type MemberRole, memberRoles } from './actors';
import { allowed, type Attack, type AttackTable, refusedBy, refusedByOneOf } from './attack';
import { objectOf } from './goals/goal';
import { workloadReference } from './scene';
import { specs } from './workload-specs';

/** Expectation that a guard of the API server refuses. */
export const refused = refusedByOneOf(['rbac', 'policy', 'podSecurity']);
const writers: readonly MemberRole[] = ['edit', 'admin'];
/** Roles that scale and restart workloads. */
export const operators: readonly MemberRole[] = ['operate', ...writers];
const kinds = Object.keys(workloadKinds) as readonly WorkloadKind[];
const workload = (kind: WorkloadKind, project: string): SendableObject =>
  objectOf(apiVersion, kind, 'new', { spec: specs[kind] }, project);

/** Returns the creation of a workload of every kind in a project, and who may. */
export const workloadWrites = (project: string, mayWrite: readonly MemberRole[]): readonly Attack[] =>
  kinds
    .filter((kind) => kind !== 'PinterestDaemon')
    .flatMap((kind) =>
      memberRoles.map((as) => ({
        name: `${as}: create a ${kind} in ${project}`,
        as,
        does: { create: workload(kind, project) },
        expects: mayWrite.includes(as) ? allowed : refused,
      })),
    );

/** Returns a reference to the workload of a project. */
export const cart = (project: string) => workloadReference(project);
/** Change of the image of a workload. */
export const image = {
  spec: { template: { spec: { containers: [{ name: 'app', image: 'registry.example.com/evil:1.0.0' }] } } },
};

/** Changes of a workload that runs, with what each role may do in a project without protection. */
const changes: readonly {
  readonly name: string;
  readonly does: (project: string) => Attack['does'];
  readonly plain: readonly MemberRole[];
  readonly shop: readonly MemberRole[];
}[] = [
  {
    name: 'change the image of a workload',
    does: (project) => ({ patch: cart(project), with: image }),
    plain: writers,
    shop: [],
  },
  { name: 'delete a workload', does: (project) => ({ delete: cart(project) }), plain: writers, shop: [] },
  {
    name: 'keep a workload from deletion by a finalizer',
    does: (project) => ({ patch: cart(project), with: { metadata: { finalizers: ['example.com/never'] } } }),
    plain: writers,
    shop: [],
  },
  {
    name: 'give a workload away by its owner',
    does: (project) => ({
      patch: cart(project),
      with: { metadata: { ownerReferences: [], labels: { 'example.com/x': 'y' } } },
    }),
    plain: writers,
    shop: [],
  },
  {
    name: 'scale a workload by its spec',
    does: (project) => ({ patch: cart(project), with: { spec: { replicas: 5 } } }),
    plain: writers,
    shop: [],
  },
  {
    name: 'scale a workload',
    does: (project) => ({ patch: cart(project), with: { spec: { replicas: 2 } }, subresource: 'scale' }),
    plain: operators,
    shop: operators,
  },
  {
    name: 'forge the status of a workload',
    does: (project) => ({ patch: cart(project), with: { status: { phase: 'Ready' } }, subresource: 'status' }),
    plain: [],
    shop: [],
  },
  {
    name: 'take over the Deployment of a workload',
    does: (project) => ({
      patch: objectOf('apps/v1', 'Deployment', 'cart', {}, project),
      with: { metadata: { ownerReferences: null } },
    }),
    plain: writers,
    shop: [],
  },
  {
    name: 'change the Deployment of a workload',
    does: (project) => ({ patch: objectOf('apps/v1', 'Deployment', 'cart', {}, project), with: image }),
    plain: writers,
    shop: [],
  },
  {
    name: 'scale the Deployment of a workload',
    does: (project) => ({
      patch: objectOf('apps/v1', 'Deployment', 'cart', {}, project),
      with: { spec: { replicas: 2 } },
      subresource: 'scale',
    }),
    plain: writers,
    shop: [],
  },
  {
    name: 'change the Service of a workload',
    does: (project) => ({
      patch: objectOf('v1', 'Service', 'cart', {}, project),
      with: { spec: { selector: { app: 'evil' } } },
    }),
    plain: writers,
    shop: [],
  },
  {
    name: 'read Secrets',
    does: (project) => ({ call: `GET /api/v1/namespaces/${project}/secrets` }),
    plain: writers,
    shop: writers,
  },
  {
    name: 'read a workload',
    does: (project) => ({ call: `GET /apis/${apiVersion}/namespaces/${project}/pinterestservices/cart` }),
    plain: memberRoles,
    shop: memberRoles,
  },
  {
    name: 'read pods',
    does: (project) => ({ call: `GET /api/v1/namespaces/${project}/pods` }),
    plain: memberRoles,
    shop: memberRoles,
  },
];
/** Returns the changes of a workload of a project, with what each role may do. */
export const workloadChanges = (project: 'plain' | 'shop'): readonly Attack[] =>
  changes.flatMap(({ name, does, [project]: mayDo }) =>
    memberRoles.map((as) => ({
      name: `${as}: ${name} of ${project}`,
      as,
      does: does(project),
      expects: mayDo.includes(as) ? allowed : refused,
    })),
  );

/** Connections into pods, which no role has unless the Project lists it in `exec`. */
const connections = ['exec?command=id', 'attach', 'portforward?ports=80', 'proxy/'].flatMap((path) =>
  memberRoles.flatMap((as) =>
    ['shop', 'plain'].map((project) => ({
      name: `${as}: ${path.split(/[?/]/)[0] as string} into a pod of ${project}`,
      as,
      does: { call: `GET /api/v1/namespaces/${project}/pods/cart-0/${path}` } as const,
      expects: refusedBy('rbac'),
    })),
  ),
);

/** Members of each role, in a project without protection, and in any project where roles alone decide. */
export const members: AttackTable = {
  title: 'members of each role',
  attacks: [...workloadWrites('plain', writers), ...workloadChanges('plain'), ...connections],
};
