import { type KubernetesObject } from 'pinion';

/** Namespace of what has to be there before pinion. */
export const systemNamespace = 'kube-system';

const partOf = 'platform';

/** Makes objects that belong to one program; those with a namespace are in the one given. */
export const objectsOf =
  (program: string, namespace: string) =>
  (
    apiVersion: string,
    kind: string,
    name: string,
    body: Readonly<Record<string, unknown>>,
    more: {
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
      ...(!more.clusterWide && { namespace: more.namespace ?? namespace }),
      labels: { 'app.kubernetes.io/name': program, 'app.kubernetes.io/part-of': partOf, ...more.labels },
      ...(more.annotations && { annotations: more.annotations }),
    },
    ...body,
  });
