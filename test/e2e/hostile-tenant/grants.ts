import { apiVersion, metadataKeys, type WorkloadKind, workloadKinds } from '../../../lib/api';
import { nameForm } from '../../../lib/api/values/object-name';
import { defaultPlatform } from '../../../lib/expand';
import { type SendableObject } from '../../control-plane/client';
import { smallTemplate } from '../pinion-suite';
import { allowed, type Attack, type AttackTable, refusedBy, refusedByOneOf } from './attack';
import { objectOf } from './goals/goal';
import { restrictedPod } from './restricted-pod';
import { scenePlatform } from './scene';
import { specs } from './workload-specs';

const kinds = (Object.keys(workloadKinds) as readonly WorkloadKind[]).filter((kind) => kind !== 'PinterestDaemon');
const [{ spec: platform }] = scenePlatform;
const account = `arn:aws:iam::${platform.aws?.accountId ?? ''}:role`;

/** Role of `shop`, in every spelling that a workload of another project could give it. */
const foreignRoles: readonly (readonly [name: string, role: string])[] = [
  ['by its ARN', `${account}/shop/reader`],
  ['by its name', 'shop/reader'],
  ['by a name that shop lists', 'shop-writer'],
  ['by an ARN that shop lists', `${account}/shop-writer`],
  ['in upper case', `${account}/SHOP/reader`],
  ['below the own path', `${account}/bank/../shop/reader`],
  ['below a path of the own path', `${account}/bank/shop/reader`],
  ['with a slash before', '/shop/reader'],
  ['with two slashes', 'shop//reader'],
  ['with the own project as a prefix', 'bank-reader'],
  ['as the own project without a path', 'bank'],
  ['as the path itself', `${account}/bank/`],
  ['as a pattern', `${account}/shop/*`],
  ['as a pattern of the own path', `${account}/bank/*`],
  ['as everything', '*'],
  ['in another account', 'arn:aws:iam::999999999999:role/bank/reader'],
  ['in another partition', `${account.replace('arn:aws:', 'arn:aws-cn:')}/bank/reader`],
  ['as a user', `${account.replace(':role', ':user')}/bank/reader`],
  ['as a list', `${account}/bank/reader,${account}/shop/reader`],
  ['with a line break', `${account}/bank/reader\n`],
  ['with a space', ` ${account}/bank/reader`],
  ['with an exclamation mark', `!${account}/shop/reader`],
  ['of the platform', `${account}/platform-admin`],
];
const ownRoles = ['bank/reader', `${account}/bank/reader`, 'bank-ledger', `${account}/bank-ledger`];

const as = 'administrator of bank' as const;
const refused = refusedByOneOf(['policy', 'schema']);
const workload = (kind: WorkloadKind, fields: object, name = 'grant'): SendableObject =>
  objectOf(apiVersion, kind, name, { spec: { ...specs[kind], ...fields } }, 'bank');

const ofRoles = kinds.flatMap((kind): Attack[] => [
  ...foreignRoles.map(([name, iamRole]) => ({
    name: `a ${kind} of bank uses a role of shop ${name}`,
    as,
    does: { create: workload(kind, { iamRole }) },
    expects: refused,
  })),
  ...ownRoles.map((iamRole) => ({
    name: `a ${kind} of bank uses its own role ${iamRole}`,
    as,
    does: { create: workload(kind, { iamRole }) },
    expects: allowed,
  })),
]);

/** Even who may write service accounts gives them only roles of the project. */
const serviceAccount = (role: string): SendableObject =>
  ({
    ...objectOf('v1', 'ServiceAccount', 'grant', {}, 'bank'),
    metadata: { name: 'grant', namespace: 'bank', annotations: { [metadataKeys.webIdentityRole]: role } },
  }) as SendableObject;
const ofAccounts: readonly Attack[] = [
  ...foreignRoles
    .filter(([, role]) => !ownRoles.includes(role))
    .map(([name, role]) => ({
      name: `a service account of bank selects a role of shop ${name}`,
      as: 'platform administrator' as const,
      does: { create: serviceAccount(role) },
      expects: refusedBy(`iam-roles.pinterest.com`),
    })),
  {
    name: 'a service account of bank selects its own role, as its administrator',
    as,
    does: { create: serviceAccount(`${account}/bank/reader`) },
    expects: refusedBy('rbac'),
  },
  {
    name: 'a service account of bank selects its own role',
    as: 'platform administrator',
    does: { create: serviceAccount(`${account}/bank/reader`) },
    expects: allowed,
  },
];

const template = smallTemplate();
const podFields = (priorityClassName: string) => ({ spec: { ...restrictedPod(), priorityClassName } });
const templated = (priorityClassName: string) => ({
  metadata: { labels: { app: 'grant' } },
  ...podFields(priorityClassName),
});
const selector = { matchLabels: { app: 'grant' } };
const finite = (priorityClassName: string) => ({
  template: { spec: { ...podFields(priorityClassName).spec, restartPolicy: 'Never' } },
});

/** Native objects with pods, by which a member could choose a priority class without a workload. */
const podObjects: Readonly<Record<string, (priorityClassName: string) => SendableObject>> = {
  Pod: (name) => objectOf('v1', 'Pod', 'grant', podFields(name), 'bank'),
  Deployment: (name) =>
    objectOf('apps/v1', 'Deployment', 'grant', { spec: { selector, template: templated(name) } }, 'bank'),
  ReplicaSet: (name) =>
    objectOf('apps/v1', 'ReplicaSet', 'grant', { spec: { selector, template: templated(name) } }, 'bank'),
  StatefulSet: (name) =>
    objectOf(
      'apps/v1',
      'StatefulSet',
      'grant',
      { spec: { selector, serviceName: 'grant', template: templated(name) } },
      'bank',
    ),
  DaemonSet: (name) =>
    objectOf('apps/v1', 'DaemonSet', 'grant', { spec: { selector, template: templated(name) } }, 'bank'),
  Job: (name) => objectOf('batch/v1', 'Job', 'grant', { spec: finite(name) }, 'bank'),
  CronJob: (name) =>
    objectOf(
      'batch/v1',
      'CronJob',
      'grant',
      { spec: { schedule: '@daily', jobTemplate: { spec: finite(name) } } },
      'bank',
    ),
};

const standard = defaultPlatform.spec.tiers.find(({ name }) => name === platform.defaultTier)?.priority ?? 0;
/** Tiers of the Platform, and whether each project may take it. */
const tiers = platform.tiers.map(({ name, priority, preemption }) => ({
  name,
  isOpen: preemption === false || priority <= standard,
}));
const classes = [
  ...tiers,
  { name: 'system-cluster-critical', isOpen: false },
  { name: 'system-node-critical', isOpen: false },
];

const ofTiers = [
  ...kinds.flatMap((kind) =>
    tiers.map(({ name, isOpen }): Attack => ({
      name: `a ${kind} of bank takes the tier ${name}`,
      as,
      does: { create: workload(kind, { tier: name }) },
      expects: isOpen ? allowed : refusedBy('policy', /spec\.tier/),
    })),
  ),
  ...Object.entries(podObjects).flatMap(([kind, objectWith]) =>
    classes.map(({ name, isOpen }): Attack => ({
      name: `a ${kind} of bank takes the priority class ${name}`,
      as,
      does: { create: objectWith(name) },
      expects: isOpen ? allowed : refusedBy('pod-priority.pinterest.com'),
    })),
  ),
  // `plain` lists the tier.
  {
    name: 'a workload of plain takes the tier critical, which its Project lists',
    as: 'edit' as const,
    does: {
      create: objectOf(apiVersion, 'PinterestService', 'grant', { spec: { tier: 'critical', template } }, 'plain'),
    },
    expects: allowed,
  },
  {
    name: 'a pod of plain takes the priority class critical, which its Project lists',
    as: 'edit' as const,
    does: { create: objectOf('v1', 'Pod', 'grant', podFields('critical'), 'plain') },
    expects: allowed,
  },
  {
    name: 'change the Deployment of a workload of plain to a priority class of the system',
    as: 'edit' as const,
    does: {
      patch: objectOf('apps/v1', 'Deployment', 'cart', {}, 'plain'),
      with: { spec: { template: { spec: { priorityClassName: 'system-node-critical' } } } },
    },
    expects: refusedBy('pod-priority.pinterest.com'),
  },
];

const ofNames = kinds.flatMap((kind) =>
  (nameForm(kind).reserved?.names ?? []).map((name): Attack => ({
    name: `a ${kind} of bank shares the objects of the project by the name ${name}`,
    as,
    does: { create: workload(kind, {}, name) },
    expects: refusedBy('schema', /name of an object of the project itself/),
  })),
);

/** IAM roles of other projects, tiers that preempt others, and names of the project's own objects. */
export const grants: AttackTable = {
  title: 'roles, tiers and reserved names',
  attacks: [...ofRoles, ...ofAccounts, ...ofTiers, ...ofNames],
};
