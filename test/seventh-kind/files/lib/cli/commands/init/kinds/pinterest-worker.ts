import { shellImage, type Starter } from '../starter';

/** Pods that take work from a queue. */
export const workerStarter: Starter<'PinterestWorker'> = {
  kind: 'PinterestWorker',
  word: 'worker',
  name: 'worker',
  spec: {
    template: {
      spec: {
        securityContext: { runAsUser: 1000 },
        containers: [{ name: 'app', image: shellImage, resources: { requests: { cpu: '50m', memory: '64Mi' } } }],
      },
    },
  },
};
