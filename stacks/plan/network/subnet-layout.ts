import { addressesIn, blockAt, type Cidr } from './cidr';

/** Role of a subnet: internet-facing, workers, or control plane nodes. */
export type SubnetRole = 'public' | 'private' | 'control-plane';

/** CIDR blocks of the subnets of a zone. */
export type ZoneBlocks = Readonly<Record<SubnetRole, Cidr>>;

/** Maximum number of zones. */
export const maxZones = 6;
/** Prefix lengths of a VPC: AWS sets the minimum; beyond the maximum, control plane subnets are too small for a load balancer. */
export const vpcPrefixes = { min: 16, max: 21 } as const;
/** Addresses of every subnet that AWS reserves: the first four and the last. */
const reserved = 5;

/**
 * Returns the subnet blocks of a zone, by its index. The VPC is divided into eighths: one for the workers of each of six
 * zones, one for all public subnets and one for all control plane subnets, of which each zone has an eighth. The blocks
 * depend only on the VPC and the index, so that adding zones or pools moves no subnet.
 */
export const zoneBlocks = (vpc: Cidr, zone: number): ZoneBlocks => ({
  private: blockAt(vpc, vpc.prefix + 3, zone),
  public: blockAt(blockAt(vpc, vpc.prefix + 3, maxZones), vpc.prefix + 6, zone),
  'control-plane': blockAt(blockAt(vpc, vpc.prefix + 3, maxZones + 1), vpc.prefix + 6, zone),
});

/** Returns the number of hosts that fit into a subnet. */
export const hostCapacity = (cidr: Pick<Cidr, 'prefix'>): number => addressesIn(cidr) - reserved;

/** Addresses of a worker subnet that are used by VPC endpoints and load balancers. */
const nonWorkerAddresses = 32;

/** Returns the number of workers that fit into a VPC with a prefix length and a number of zones. */
export const workerCapacity = (prefix: number, zones: number): number =>
  zones * (hostCapacity({ prefix: prefix + 3 }) - nonWorkerAddresses);
