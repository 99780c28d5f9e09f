import { serverImage, type Starter } from '../starter';

/** A web server with three replicas. */
export const serviceStarter: Starter<'PinterestService'> = {
  kind: 'PinterestService',
  word: 'service',
  name: 'web',
  spec: {
    replicas: 3,
    loadBalancer: { port: 8080 },
    template: {
      spec: {
        securityContext: { runAsUser: 101 },
        containers: [{ name: 'app', image: serverImage, ports: [{ containerPort: 8080 }] }],
      },
    },
  },
};
