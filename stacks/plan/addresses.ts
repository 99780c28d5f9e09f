import { addressAt, formatAddress, parseCidr, type Cidr } from './cidr';
import { type ClusterConfig } from './cluster-config';
import { zoneBlocks } from './subnet-layout';

/** Place of a master's persistent interface in its subnet. */
const masterPlace = 10;

/** The letter of a zone, by which what belongs to it is named: `a` of us-east-1a. */
export const letterOf = (zone: string): string => zone.slice(-1);

/** The VPC's addresses. Throws a `RangeError` where the configuration was not examined. */
export function vpcOf({ network }: Pick<ClusterConfig, 'network'>): Cidr {
  const cidr = parseCidr(network.vpc);
  if (!cidr) throw new RangeError(`${network.vpc} is no block of addresses`);
  return cidr;
}

/** Address of the persistent interface of the master in one zone, by the zone's place. */
export const masterAddress = (config: Pick<ClusterConfig, 'network'>, zone: number): string =>
  formatAddress(addressAt(zoneBlocks(vpcOf(config), zone).control, masterPlace));
