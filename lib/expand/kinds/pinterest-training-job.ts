import { type EnvVar, type Workload } from '../../api';
import { checkpointVolume } from './training-job/checkpoint-volume';
import { headlessService } from '../objects/cluster-service';
import { completionIndexAnnotation } from '../objects/job';
import { draftObject, type KubernetesObject } from '../objects/kubernetes-object';
import { selectorOf } from '../objects/labels';
import { jaxVariables } from './training-job/jax-rendezvous';
import { networkPolicy } from '../objects/network-policy';
import { workloadPod } from '../pods/pod';
import { podGroup } from '../objects/pod-group';
import { usesDynamicRendezvous, pytorchVariables, storeHost } from './training-job/pytorch-rendezvous';
import { serviceAccount } from '../objects/service-account';
import { tensorflowVariables } from './training-job/tensorflow-rendezvous';
import { sharedMemory, trainingContainer, trainingPool } from './training-job/training-container';
import { trainingGroupJob } from './training-job/training-group-job';
import { trainingOf, type Training, type TrainingGroup } from './training-job/training-groups';
import { indexVariable, taskIndex } from './training-job/training-index';
import { withVolumeGroup } from '../pods/volume-group';
import { type ProjectContext } from '../project-context';
import { roleRequestsRule } from '../policies/requests-rule';
import { trainingJobNeeds } from './training-job/training-job-needs';
import { trainingPlatformRules } from './training-job/training-platform-rules';
import { type KindExpander } from './kind-expander';

type TrainingJob = Workload<'PinterestTrainingJob'>;

/** Creates an Indexed Job for each group of identical members, and the Services by which members find each other. */
function objects(workload: TrainingJob, context: ProjectContext): KubernetesObject[] {
  const training = trainingOf(workload);
  const checkpoint = checkpointVolume(workload, context, training.members);
  const memory = sharedMemory(workload);
  const gang = podGroup(workload, workload.spec.gang, training.members, context);
  const pods = training.groups.map((group) => ({
    group,
    pod: workloadPod(workload, context, {
      template: workload.spec.checkpoint?.claim ? withVolumeGroup(group.template) : group.template,
      serves: false,
      spread: true,
      restartPolicy: 'Never',
      expiry: `${workload.spec.ttlAfterFinished} after its end`,
      ...(group.role !== undefined && { member: group.role }),
      env: [indexVariable(taskIndex), ...rendezvous(workload, training, group), ...checkpoint.env],
      volumes: [...checkpoint.volumes, ...memory.volumes],
      mounts: [...checkpoint.mounts, ...memory.mounts],
      pool: trainingPool(workload, group, context),
      updateFirstContainer: (container) => trainingContainer(container, workload, group, context),
      pod: { ...gang.pod, ...(training.service !== undefined && { subdomain: training.service }) },
    }),
  }));
  return [
    serviceAccount(workload),
    ...networkPolicy(workload, context, { ingress: false, peers: true }),
    ...withoutDuplicates(pods.flatMap(({ pod }) => pod.objects)),
    ...checkpoint.objects,
    ...gang.objects,
    ...services(workload, training),
    ...pods.map(({ group, pod }) => trainingGroupJob(workload, group, pod)),
  ];
}

const variables = { tensorflow: tensorflowVariables, pytorch: pytorchVariables, jax: jaxVariables };

const rendezvous = (workload: TrainingJob, training: Training, group: TrainingGroup): EnvVar[] =>
  variables[workload.spec.framework](workload, training, group);

function services(workload: TrainingJob, training: Training): KubernetesObject[] {
  if (training.service === undefined) return [];
  const ports = [{ name: 'rendezvous', port: workload.spec.port, protocol: 'TCP' as const }];
  const all = headlessService(workload, training.service, ports, { publishNotReadyAddresses: true });
  if (workload.spec.framework !== 'pytorch' || !usesDynamicRendezvous(workload, training)) return [all];
  return [all, storeService(all, workload, training)];
}

/** Creates the Service of member 0, because torchrun runs the rendezvous store in the pod whose host name is the endpoint. */
function storeService(all: KubernetesObject, workload: TrainingJob, training: Training): KubernetesObject {
  const first = training.groups[0] as TrainingGroup;
  const selector = {
    ...selectorOf(workload, first.role),
    [completionIndexAnnotation]: '0',
  };
  return draftObject('Service', { name: storeHost(training) }, { spec: { ...(all['spec'] as object), selector } });
}

/** Returns the objects without duplicates: groups share objects of the whole workload, such as its ConfigMaps. */
const withoutDuplicates = (objects: readonly KubernetesObject[]): KubernetesObject[] => [
  ...new Map(objects.map((object) => [`${object.kind} ${object.metadata.name}`, object])).values(),
];

/** Expander of PinterestTrainingJob. */
export const pinterestTrainingJobExpander: KindExpander<'PinterestTrainingJob'> = {
  objects,
  rules: [roleRequestsRule, ...trainingPlatformRules],
  mounts: ({ checkpoint, sharedMemory }) => [
    ...(sharedMemory === undefined ? [] : [{ mountPath: '/dev/shm', path: ['spec', 'sharedMemory'], fixed: true }]),
    ...(checkpoint ? [{ mountPath: checkpoint.mountPath, path: ['spec', 'checkpoint', 'mountPath'] }] : []),
  ],
  controllerNeeds: trainingJobNeeds,
  concurrentJobs: () => undefined,
  // Training jobs are deleted after their ttlAfterFinished.
  controllerVerbs: ['delete'],
};
