import { addressesIn, blockAt, type Cidr } from './cidr';

/** What a subnet is for: machines that the internet reaches, workers, or masters. */
export type SubnetRole = 'public' | 'private' | 'control';

/** Addresses of a zone's subnets. */
export type ZoneBlocks = Readonly<Record<SubnetRole, Cidr>>;

/** Zones that a layout has room for. */
export const mostZones = 6;
/** Prefixes of a VPC: the least is AWS's; beyond the greatest, a subnet for masters has no room for a load balancer. */
export const vpcPrefixes = { least: 16, greatest: 21 } as const;
/** Addresses of every subnet that AWS keeps: the first four and the last. */
const kept = 5;

/**
 * Addresses of one zone, by its place in the list of zones. The VPC is cut into eight: a block for the workers of each of
 * six zones, one for all public subnets and one for all subnets of masters, of which each zone has an eighth. What a zone
 * gets depends on nothing but the VPC and its place, so that nothing moves when zones or pools are added.
 */
export const zoneBlocks = (vpc: Cidr, zone: number): ZoneBlocks => ({
  private: blockAt(vpc, vpc.prefix + 3, zone),
  public: blockAt(blockAt(vpc, vpc.prefix + 3, mostZones), vpc.prefix + 6, zone),
  control: blockAt(blockAt(vpc, vpc.prefix + 3, mostZones + 1), vpc.prefix + 6, zone),
});

/** Machines that fit into a subnet. */
export const roomIn = (cidr: Pick<Cidr, 'prefix'>): number => addressesIn(cidr) - kept;

/** Addresses of a workers' subnet that are not theirs: endpoints of AWS's services and load balancers. */
const besideWorkers = 32;

/** Workers that fit into a VPC of some prefix with so many zones. */
export const workersIn = (prefix: number, zones: number): number =>
  zones * (roomIn({ prefix: prefix + 3 }) - besideWorkers);
