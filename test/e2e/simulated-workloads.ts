import { type SendableObject } from '../control-plane/client';

/** Workload for simulated nodes, which do not pull images. */
export interface SimulatedPods {
  readonly namespace: string;
  readonly name: string;
  /** Annotations that define how its pods behave, from `podBehavior`. @default - Ready at once */
  readonly annotations?: Readonly<Record<string, string>>;
  /** @default - one container `app` */
  readonly spec?: object;
}

const template = ({ name, annotations = {}, spec }: SimulatedPods, more: object = {}): object => ({
  metadata: { labels: { app: name }, annotations },
  spec: { containers: [{ name: 'app', image: 'app:1' }], ...more, ...spec },
});

/** Returns a Deployment whose pods have the label `app`. */
export const deployment = (pods: SimulatedPods, replicas = 1): SendableObject =>
  object('apps/v1', 'Deployment', pods, {
    replicas,
    selector: { matchLabels: { app: pods.name } },
    template: template(pods),
  });

/** Returns a Job without retries. */
export const job = (pods: SimulatedPods): SendableObject =>
  object('batch/v1', 'Job', pods, { backoffLimit: 0, template: template(pods, { restartPolicy: 'Never' }) });

/** Returns a StatefulSet with a claim of 1Gi for each pod. */
export const statefulSet = (pods: SimulatedPods, replicas = 1): SendableObject =>
  object('apps/v1', 'StatefulSet', pods, {
    replicas,
    serviceName: pods.name,
    selector: { matchLabels: { app: pods.name } },
    template: template(pods),
    volumeClaimTemplates: [
      {
        metadata: { name: 'data' },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      },
    ],
  });

const object = (
  apiVersion: string,
  kind: string,
  { namespace, name }: SimulatedPods,
  spec: object,
): SendableObject => ({
  apiVersion,
  kind,
  metadata: { namespace, name },
  ...{ spec },
});
