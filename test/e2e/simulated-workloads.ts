import { type SendableObject } from '../control-plane/client';

/** A workload for simulated nodes: images are never pulled there. */
export interface SimulatedPods {
  readonly namespace: string;
  readonly name: string;
  /** How its pods behave: `behaviour`. @default - Ready at once */
  readonly annotations?: Readonly<Record<string, string>>;
  /** @default - one container `app` */
  readonly spec?: object;
}

const template = ({ name, annotations = {}, spec }: SimulatedPods, more: object = {}): object => ({
  metadata: { labels: { app: name }, annotations },
  spec: { containers: [{ name: 'app', image: 'app:1' }], ...more, ...spec },
});

/** A Deployment whose pods carry the label `app`. */
export const deployment = (pods: SimulatedPods, replicas = 1): SendableObject =>
  object('apps/v1', 'Deployment', pods, {
    replicas,
    selector: { matchLabels: { app: pods.name } },
    template: template(pods),
  });

/** A Job that is not tried again. */
export const job = (pods: SimulatedPods): SendableObject =>
  object('batch/v1', 'Job', pods, { backoffLimit: 0, template: template(pods, { restartPolicy: 'Never' }) });

/** A StatefulSet with a claim of 1Gi in each pod. */
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
