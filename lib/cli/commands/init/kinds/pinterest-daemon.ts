import { serverImage, type Starter } from '../starter';

/** An agent on every node. */
export const daemonStarter: Starter<'PinterestDaemon'> = {
  kind: 'PinterestDaemon',
  word: 'daemon',
  name: 'agent',
  spec: {
    template: {
      spec: {
        securityContext: { runAsUser: 101 },
        containers: [
          {
            name: 'app',
            image: serverImage,
            resources: { requests: { cpu: '50m', memory: '64Mi' }, limits: { memory: '128Mi' } },
          },
        ],
      },
    },
  },
  project: { infrastructure: true },
};
