import { entriesAt, type Fields } from './fields';

/** A reference to a variable that Kubernetes sets for a Service: `$(REDIS_SERVICE_HOST)`, `${REDIS_PORT_6379_TCP_ADDR}`. */
const reference =
  /\$[({]?(?!KUBERNETES_)([A-Z][A-Z0-9_]*_(?:SERVICE_(?:HOST|PORT)|PORT_\d+_(?:TCP|UDP|SCTP))[A-Z0-9_]*)/g;

/** Returns whether a container refers to a variable of a Service, and does not set it itself. */
function refersToService(container: Fields): boolean {
  const own = new Set(entriesAt(container, 'env').map(({ name }) => name));
  return [...JSON.stringify(container).matchAll(reference)].some(([, name]) => !own.has(name));
}

/**
 * Returns `enableServiceLinks` if a pod sets it, or refers to a variable of a Service: Kubernetes sets these variables by
 * default, and pinion does not.
 */
export function serviceLinksOf(pod: Fields): Fields {
  const { enableServiceLinks } = pod;
  if (enableServiceLinks !== undefined) return { enableServiceLinks };
  const containers = [...entriesAt(pod, 'initContainers'), ...entriesAt(pod, 'containers')];
  return containers.some(refersToService) ? { enableServiceLinks: true } : {};
}
