import { type Starter } from '../starter';

/** A process group of three members on CPUs. */
export const trainingJobStarter: Starter<'PinterestTrainingJob'> = {
  kind: 'PinterestTrainingJob',
  word: 'training-job',
  name: 'trainer',
  spec: {
    framework: 'pytorch',
    roles: { master: {}, worker: { replicas: 2 } },
    activeDeadline: '6h',
    template: {
      spec: {
        securityContext: { runAsUser: 1000 },
        containers: [
          {
            name: 'train',
            image: 'docker.io/pytorch/pytorch:2.7.1-cuda12.6-cudnn9-runtime',
            command: ['python', '-c', 'import torch.distributed as d; d.init_process_group("gloo"); d.barrier()'],
            resources: { requests: { cpu: '1', memory: '2Gi' }, limits: { memory: '4Gi' } },
          },
        ],
      },
    },
  },
};
