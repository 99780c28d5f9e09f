import { type KubernetesObject } from '@pinion-platform/pinion';
import { formatPath, isError, ProblemsError, schemaProblems, type Problem } from '@pinion-platform/pinion/api';
import { cilium } from './add-ons/cilium/cilium';
import { cloudController } from './add-ons/cloud-controller';
import { clusterAutoscaler } from './add-ons/cluster-autoscaler';
import { coreDns } from './add-ons/core-dns';
import { deploymentProblems, deployments } from './programs/deployments';
import { drainConsumer } from './programs/drain-consumer';
import { externalDns } from './add-ons/external-dns';
import { ingressBalancers, ingressControllers } from './add-ons/ingress-controller';
import { kubeProxy } from './add-ons/kube-proxy';
import { metricsServer } from './add-ons/metrics-server';
import { nodeApprover } from './programs/node-approver';
import { observability } from './programs/observability';
import { egressPolicy } from './objects/network-policies';
import { pinionObjects } from './config/pinion-objects';
import { platformProjects } from './config/platform-accounts';
import { platformStackSchema, type PlatformStackConfig, type PlatformStackInput } from './config/platform-stack-config';
import { installationProblems, workloadProblems } from './config/installation-problems';
import { platformProblems } from './config/platform-problems';
import { stage, type Stage } from './stage';
import { volumeDriver } from './add-ons/volume-driver';

/** Result of planning a platform stack: its stages unless there are errors, and all problems. */
export interface PlatformStackResult {
  readonly stages?: readonly Stage[];
  readonly problems: readonly Problem[];
}

/** Plans the objects of a fresh cluster. Never throws for invalid input. */
export function safePlanPlatformStack(input: unknown): PlatformStackResult {
  const parsed = platformStackSchema.safeParse(input, { reportInput: false });
  if (!parsed.success) return { problems: schemaProblems(platformStackSchema, input, parsed.error.issues, []) };
  const config = parsed.data;
  const problems = withoutDuplicates([
    ...platformProblems(config),
    ...deploymentProblems(config),
    ...installationProblems(config),
  ]);
  if (problems.some(isError)) return { problems };
  const stages = stagesOf(config);
  problems.push(...workloadProblems(stages.flatMap(({ objects }) => objects)));
  return problems.some(isError) ? { problems } : { stages, problems };
}

/** Returns the problems with each code only once per field. */
const withoutDuplicates = (problems: readonly Problem[]): Problem[] =>
  problems.filter(
    ({ code, path }, index) =>
      problems.findIndex((other) => other.code === code && formatPath(other.path) === formatPath(path)) === index,
  );

/** Plans the objects of a fresh cluster. Throws a `ProblemsError` with all problems. */
export function planPlatformStack(input: PlatformStackInput): readonly Stage[] {
  const { stages, problems } = safePlanPlatformStack(input);
  if (!stages) throw new ProblemsError(problems.filter(isError));
  return stages;
}

function stagesOf(config: PlatformStackConfig): Stage[] {
  const pinion = pinionObjects(config);
  const deployed = deployments(config, pinion.historyAccess);
  const monitoring = observability(config);
  const withEgress = (namespace: string, ...objects: readonly KubernetesObject[]) => [
    ...egressPolicy(config, namespace),
    ...objects,
  ];
  return [
    stage('definitions', 'Custom resources need their definitions.', pinion.definitions),
    stage(
      'cloud',
      'Workers need their certificates approved by the node approver, and addresses from the cloud controller manager.',
      [...cloudController(config), ...nodeApprover(config)],
    ),
    stage('network', 'Pods outside the host network need a network plugin.', [...kubeProxy(config), ...cilium(config)]),
    stage('dns', 'Programs resolve each other by name.', coreDns(config)),
    stage('pinion', 'The controller expands the workloads of later stages.', pinion.rest),
    stage('storage', 'Claims need a volume driver.', withEgress(platformProjects.storage, ...volumeDriver(config))),
    stage(
      'scaling',
      'Later stages may need more nodes.',
      withEgress(
        platformProjects.scaling,
        ...metricsServer(config),
        ...drainConsumer(config),
        ...clusterAutoscaler(config),
      ),
    ),
    stage(
      'ingress',
      'DNS records need their load balancers.',
      withEgress(platformProjects.ingress, ...ingressControllers(config), ...externalDns(config)),
      ingressBalancers(config),
    ),
    ...(deployed.length > 0
      ? [
          stage(
            'deployments',
            'The submission service needs its host name, and workloads need all earlier stages.',
            deployed,
          ),
        ]
      : []),
    ...(pinion.gateway.length > 0
      ? [
          stage(
            'gateway',
            'It waits for its certificate, and all earlier stages reach the API server itself.',
            pinion.gateway,
          ),
        ]
      : []),
    ...(monitoring.length > 0
      ? [stage('observability', 'Rules cover all earlier stages, and nothing depends on them.', monitoring)]
      : []),
  ];
}
