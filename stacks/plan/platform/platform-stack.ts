import { type KubernetesObject } from 'pinion';
import { formatPath, isError, ProblemsError, schemaProblems, type Problem } from 'pinion/api';
import { cilium } from './cilium';
import { cloudController } from './cloud-controller';
import { clusterAutoscaler } from './cluster-autoscaler';
import { coreDns } from './core-dns';
import { deploymentProblems, deployments } from './deployments';
import { drainConsumer } from './drain-consumer';
import { externalDns } from './external-dns';
import { ingressControllers } from './ingress-controller';
import { kubeProxy } from './kube-proxy';
import { metricsServer } from './metrics-server';
import { nodeApprover } from './node-approver';
import { observability } from './observability';
import { outwardPolicy } from './outward-policy';
import { pinionObjects } from './pinion-objects';
import { platformProjects } from './platform-accounts';
import { platformFactsSchema, type PlatformFacts, type PlatformFactsInput } from './platform-facts';
import { installationProblems, workloadProblems } from './installation-problems';
import { platformProblems } from './platform-problems';
import { stage, type Stage } from './stage';
import { volumeDriver } from './volume-driver';

/** The stages of a platform where nothing stands in the way, and all problems. */
export interface ExaminedPlatformStack {
  readonly stages?: readonly Stage[];
  readonly problems: readonly Problem[];
}

/** Plans what is put on a fresh cluster from any value, as it was read from outputs and a file; never throws for what that is. */
export function examinePlatformStack(input: unknown): ExaminedPlatformStack {
  const parsed = platformFactsSchema.safeParse(input, { reportInput: false });
  if (!parsed.success) return { problems: schemaProblems(platformFactsSchema, input, parsed.error.issues, []) };
  const facts = parsed.data;
  const problems = toldOnce([...platformProblems(facts), ...deploymentProblems(facts), ...installationProblems(facts)]);
  if (problems.some(isError)) return { problems };
  const stages = stagesOf(facts);
  problems.push(...workloadProblems(stages.flatMap(({ objects }) => objects)));
  return problems.some(isError) ? { problems } : { stages, problems };
}

/** The first of problems that are the same of the same field. */
const toldOnce = (problems: readonly Problem[]): Problem[] =>
  problems.filter(
    ({ code, path }, index) =>
      problems.findIndex((other) => other.code === code && formatPath(other.path) === formatPath(path)) === index,
  );

/** Plans what is put on a fresh cluster. Throws a `ProblemsError` with all that is wrong. */
export function planPlatformStack(input: PlatformFactsInput): readonly Stage[] {
  const { stages, problems } = examinePlatformStack(input);
  if (!stages) throw new ProblemsError(problems.filter(isError));
  return stages;
}

function stagesOf(facts: PlatformFacts): Stage[] {
  const pinion = pinionObjects(facts);
  const deployed = deployments(facts);
  const watched = observability(facts);
  const own = (namespace: string, ...objects: readonly KubernetesObject[]) => [
    ...outwardPolicy(facts, namespace),
    ...objects,
  ];
  return [
    stage('definitions', 'Kinds are defined before there are objects of them.', pinion.definitions),
    stage(
      'cloud',
      'Workers have no certificates before somebody asked AWS about them, and no addresses before the cloud controller manager gave them some.',
      [...cloudController(facts), ...nodeApprover(facts)],
    ),
    stage('network', 'Pods without the network of their node start only once there is a network plugin.', [
      ...kubeProxy(facts),
      ...cilium(facts),
    ]),
    stage('names', 'Programs find each other by name.', coreDns(facts)),
    stage('pinion', 'The controller makes of all that follows what it means.', pinion.rest),
    stage('storage', 'Claims wait for a driver.', own(platformProjects.storage, ...volumeDriver(facts))),
    stage(
      'scaling',
      'What follows may need more nodes than there are.',
      own(platformProjects.scaling, ...metricsServer(facts), ...drainConsumer(facts), ...clusterAutoscaler(facts)),
    ),
    stage(
      'entrance',
      'Names are written once there is something that they lead to.',
      own(platformProjects.entrance, ...ingressControllers(facts), ...externalDns(facts)),
    ),
    ...(deployed.length > 0
      ? [
          stage(
            'deployments',
            'Whoever deploys finds the service by its name, and all that workloads lean on.',
            deployed,
          ),
        ]
      : []),
    ...(watched.length > 0
      ? [stage('observability', 'Rules are about all that came before, and nothing waits for them.', watched)]
      : []),
  ];
}
