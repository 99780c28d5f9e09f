import { addressAt, formatAddress, parseCidr, type Cidr } from './cidr';
import { type ClusterConfig } from '../config/cluster-config';
import { zoneBlocks } from './subnet-layout';

/** Host number of the persistent interface of a control plane node in its subnet. */
const controlPlaneHost = 10;

/** Returns the letter of a zone, used in names: `a` for us-east-1a. */
export const letterOf = (zone: string): string => zone.slice(-1);

/** Returns the CIDR block of the VPC. Throws a `RangeError` if the configuration was not validated. */
export function vpcOf({ network }: Pick<ClusterConfig, 'network'>): Cidr {
  const cidr = parseCidr(network.vpc);
  if (!cidr) throw new RangeError(`${network.vpc} is not a CIDR block`);
  return cidr;
}

/** Returns the address of the persistent interface of the control plane node in a zone, by the index of the zone. */
export const controlPlaneAddress = (config: Pick<ClusterConfig, 'network'>, zone: number): string =>
  formatAddress(addressAt(zoneBlocks(vpcOf(config), zone)['control-plane'], controlPlaneHost));
