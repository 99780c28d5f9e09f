import { entriesAt, textAt } from '../../api';
import { type KubernetesObject } from '../objects/kubernetes-object';

/** Host name and path of an Ingress. */
export interface ServedRoute {
  readonly host: string;
  /** Such as `www.example.com/api`. */
  readonly text: string;
  /** Equal for two routes of which an ingress controller serves only one. */
  readonly key: string;
}

/** Ingresses with this annotation share the routes of another one. */
const canaryKey = 'nginx.ingress.kubernetes.io/canary';
const classKey = 'kubernetes.io/ingress.class';
/** Ingresses of different entry points, such as HTTP and HTTPS, may have the same routes. */
const entryPointsKey = 'traefik.ingress.kubernetes.io/router.entrypoints';

/** Lists the routes of an object; empty for other kinds than Ingress, and for an Ingress that shares its routes. */
export function ingressRoutesOf({ kind, metadata, ...object }: KubernetesObject): readonly ServedRoute[] {
  // A native object of the inputs may have no metadata.
  const annotations = (metadata as KubernetesObject['metadata'] | null | undefined)?.annotations;
  if (kind !== 'Ingress' || annotations?.[canaryKey] === 'true') return [];
  const ingressClass = textAt(object, 'spec', 'ingressClassName') ?? annotations?.[classKey];
  const entryPoints = annotations?.[entryPointsKey];
  return entriesAt(object, 'spec', 'rules').flatMap((rule) => {
    const host = textAt(rule, 'host');
    if (host === undefined) return [];
    return entriesAt(rule, 'http', 'paths').map((entry) => {
      const path = textAt(entry, 'path') ?? '/';
      return {
        host,
        text: `${host}${path}`,
        key: JSON.stringify([ingressClass, entryPoints, host, path, textAt(entry, 'pathType')]),
      };
    });
  });
}
