import { type PodSpec, type SecurityContext, type Toleration } from '../../api';
import { draftObject, type KubernetesObject } from '../objects/kubernetes-object';

/** Where the pods of the programs of an installation run. */
export interface ProgramPlacement {
  /** Priority class of its pods; an empty string for none. @default system-cluster-critical */
  readonly priorityClass?: string;
  /** Names of image pull secrets in its namespace. @default - none */
  readonly imagePullSecrets?: readonly string[];
  /** Node selector of its pods. @default - any node */
  readonly nodeSelector?: Readonly<Record<string, string>>;
  /** @default - none */
  readonly tolerations?: readonly Toleration[];
}

/** Labels by which the pods of a program are selected. */
export const programSelector = (program: string) => ({ 'app.kubernetes.io/name': program });

/** Security context of the containers of all programs. */
export const programSecurity = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  readOnlyRootFilesystem: true,
} satisfies SecurityContext;

/** Creates the ServiceAccount and the Deployment of a program, and the PodDisruptionBudget of more than one replica. */
export function programDeployment(program: string, replicas: number, pod: PodSpec): KubernetesObject[] {
  const name = program;
  const selector = { matchLabels: programSelector(program) };
  const deployment = {
    replicas,
    revisionHistoryLimit: 3,
    selector,
    // A new pod must fill its caches before an old one stops.
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
    template: { metadata: { labels: programSelector(program) }, spec: pod },
  };
  const budget = { maxUnavailable: 1, selector, unhealthyPodEvictionPolicy: 'AlwaysAllow' };
  return [
    draftObject('ServiceAccount', { name }, { automountServiceAccountToken: false }),
    draftObject('Deployment', { name }, { spec: deployment }),
    ...(replicas > 1 ? [draftObject('PodDisruptionBudget', { name }, { spec: budget })] : []),
  ];
}

/** Returns the fields of a program's pod other than its containers and volumes. */
export function programPod(
  program: string,
  { priorityClass = 'system-cluster-critical', imagePullSecrets, nodeSelector, tolerations }: ProgramPlacement,
): Omit<PodSpec, 'containers'> {
  return {
    serviceAccountName: program,
    automountServiceAccountToken: true,
    enableServiceLinks: false,
    terminationGracePeriodSeconds: 30,
    ...(priorityClass !== '' && { priorityClassName: priorityClass }),
    ...(imagePullSecrets && { imagePullSecrets: imagePullSecrets.map((name) => ({ name })) }),
    ...(nodeSelector && { nodeSelector }),
    ...(tolerations && { tolerations }),
    securityContext: {
      runAsNonRoot: true,
      runAsUser: 65532,
      runAsGroup: 65532,
      seccompProfile: { type: 'RuntimeDefault' },
    },
    topologySpreadConstraints: ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'].map((topologyKey) => ({
      maxSkew: 1,
      topologyKey,
      whenUnsatisfiable: 'ScheduleAnyway' as const,
      labelSelector: { matchLabels: programSelector(program) },
      // Each version by itself.
      matchLabelKeys: ['pod-template-hash'],
    })),
  };
}
