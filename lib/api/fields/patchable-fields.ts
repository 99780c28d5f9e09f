import { type NativeKind } from '../native-kinds';

/**
 * Fields of a pod template that a patch may change. They do not decide with which permissions, on which nodes or with
 * which priority a pod runs, or what it can access of its node.
 */
const podFields = [
  'dnsConfig',
  'enableServiceLinks',
  'hostAliases',
  'hostname',
  'readinessGates',
  'setHostnameAsFQDN',
  'subdomain',
];
const jobFields = ['managedBy', 'podReplacementPolicy', 'ttlSecondsAfterFinished'];

const below = (parent: string, fields: readonly string[]): string[] => fields.map((field) => `${parent}.${field}`);
const podTemplateFields = (spec: string): string[] => below(`${spec}.template.spec`, podFields);

/** Native kind that patches may name. */
export type PatchableKind = Extract<
  NativeKind,
  | 'PersistentVolumeClaim'
  | 'PodDisruptionBudget'
  | 'Service'
  | 'Deployment'
  | 'StatefulSet'
  | 'DaemonSet'
  | 'Job'
  | 'CronJob'
  | 'HorizontalPodAutoscaler'
  | 'Ingress'
>;

/**
 * Fields of generated objects that a patch may change, by kind. A path covers all fields below it.
 *
 * Kinds that are not listed cannot be patched: their objects grant permissions, limit what a project may use, or decide
 * who connects. A kind without fields can be patched only with an exception of the Platform.
 */
export const patchableFields: Readonly<Record<PatchableKind, readonly string[]>> = {
  PersistentVolumeClaim: ['metadata.annotations'],
  PodDisruptionBudget: ['metadata.annotations', 'spec.unhealthyPodEvictionPolicy'],
  // Annotations, external IPs and the type of a Service request addresses and load balancers.
  Service: below('spec', [
    'internalTrafficPolicy',
    'ipFamilies',
    'ipFamilyPolicy',
    'publishNotReadyAddresses',
    'sessionAffinity',
    'sessionAffinityConfig',
    'trafficDistribution',
  ]),
  Deployment: [
    'metadata.annotations',
    ...below('spec', ['minReadySeconds', 'progressDeadlineSeconds', 'revisionHistoryLimit']),
    ...podTemplateFields('spec'),
  ],
  StatefulSet: [
    'metadata.annotations',
    ...below('spec', ['minReadySeconds', 'revisionHistoryLimit']),
    ...podTemplateFields('spec'),
  ],
  DaemonSet: [
    'metadata.annotations',
    ...below('spec', ['minReadySeconds', 'revisionHistoryLimit']),
    ...podTemplateFields('spec'),
  ],
  Job: ['metadata.annotations', ...below('spec', jobFields), ...podTemplateFields('spec')],
  CronJob: [
    'metadata.annotations',
    'spec.jobTemplate.metadata.annotations',
    ...below('spec.jobTemplate.spec', jobFields),
    ...podTemplateFields('spec.jobTemplate.spec'),
  ],
  HorizontalPodAutoscaler: ['metadata.annotations', 'spec.behavior'],
  // Hosts, TLS, class and annotations of an Ingress decide whose requests it receives and what the controller does.
  Ingress: [],
};

/** Native kinds that patches may name. */
export const patchableKinds = Object.keys(patchableFields) as PatchableKind[];
