/** Name of a service account. */
export interface ServiceAccountName {
  readonly namespace: string;
  readonly name: string;
}

/** Returns the user name of a service account at the API server. */
export const serviceAccountUser = ({ namespace, name }: ServiceAccountName): string =>
  `system:serviceaccount:${namespace}:${name}`;

/** Returns the service account of a user name; undefined for other users. */
export function serviceAccountOf(user: string): ServiceAccountName | undefined {
  const [, namespace, name] = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(user) ?? [];
  return namespace === undefined || name === undefined ? undefined : { namespace, name };
}
