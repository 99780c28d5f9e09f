import { type KubernetesObject } from '@pinion-platform/pinion';

/** Namespace of components that pinion depends on. */
export const systemNamespace = 'kube-system';

const partOf = 'platform';

/** Returns a factory of labeled objects of a program in a namespace. */
export const programObjects =
  (program: string, namespace: string) =>
  (
    apiVersion: string,
    kind: string,
    name: string,
    body: Readonly<Record<string, unknown>>,
    options: {
      readonly clusterWide?: boolean;
      readonly namespace?: string;
      readonly annotations?: Readonly<Record<string, string>>;
      readonly labels?: Readonly<Record<string, string>>;
    } = {},
  ): KubernetesObject => ({
    apiVersion,
    kind,
    metadata: {
      name,
      ...(!options.clusterWide && { namespace: options.namespace ?? namespace }),
      labels: { 'app.kubernetes.io/name': program, 'app.kubernetes.io/part-of': partOf, ...options.labels },
      ...(options.annotations && { annotations: options.annotations }),
    },
    ...body,
  });
