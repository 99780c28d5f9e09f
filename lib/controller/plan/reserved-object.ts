import { gatewayAuthority } from '../../api';
import { type KubernetesObject } from '../../expand';

/**
 * Returns whether an object has a name that belongs to pinion in every project, so that an object of another client gives
 * way: pods trust the authority of the gateway in it.
 */
export const isReservedObject = ({ kind, metadata }: KubernetesObject): boolean =>
  kind === 'ConfigMap' && metadata.name === gatewayAuthority;
