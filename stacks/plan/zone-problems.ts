import { nearest, type Problem } from 'pinion/api';
import { type ClusterConfig } from './cluster-config';
import { narrowRegions, regions, zonesIn } from './regions';

/** Zones that a cluster is over at least: etcd goes on with two members of three. */
const fewestZones = 3;

/** What is wrong with region and zones. */
export function zoneProblems({ region, zones }: Pick<ClusterConfig, 'region' | 'zones'>): Problem[] {
  const known = zonesIn(region);
  const problems: Problem[] = [];
  if (known.length === 0)
    problems.push({
      code: 'not-one-of',
      path: ['region'],
      value: region,
      reason: 'is no region that is known',
      remedy: guessed(nearest(region, regions)) ?? `use ${regions.slice(0, 8).join(', ')} or another AWS region`,
    });
  zones.forEach((zone, index) => {
    const path = ['zones', index];
    const free = known.find((one) => !zones.includes(one));
    if (zones.indexOf(zone) !== index)
      problems.push({
        code: 'duplicate',
        path,
        value: zone,
        reason: 'is given twice',
        remedy: free ? `use "${free}"` : 'give each zone once',
      });
    else if (zone.slice(0, -1) !== region)
      problems.push({
        code: 'contradiction',
        path,
        value: zone,
        reason: `is not in ${region}`,
        remedy: free ? `use "${free}", or region "${zone.slice(0, -1)}"` : `use region "${zone.slice(0, -1)}"`,
      });
    else if (known.length > 0 && !known.includes(zone))
      problems.push({
        code: 'not-one-of',
        path,
        value: zone,
        reason: `is no zone of ${region}`,
        remedy: `use ${known.join(', ')}`,
      });
  });
  if (zones.length < fewestZones || narrowRegions.includes(region)) problems.push(tooFew(region, zones, known));
  return problems;
}

function tooFew(region: string, zones: readonly string[], known: readonly string[]): Problem {
  const narrow = narrowRegions.includes(region);
  const missing = known.filter((one) => !zones.includes(one)).slice(0, fewestZones - zones.length);
  return {
    code: 'out-of-range',
    path: narrow ? ['region'] : ['zones'],
    value: narrow ? region : zones,
    reason: narrow
      ? `shows two zones to an account, and a master is in each of ${fewestZones}`
      : `a master is in each of ${fewestZones} zones, so that etcd keeps its quorum when one is lost`,
    remedy: narrow
      ? `use ${regions.filter((one) => one.startsWith(region.slice(0, 3)) && !narrowRegions.includes(one)).join(' or ')}`
      : missing.length > 0
        ? `add ${missing.map((zone) => `"${zone}"`).join(' and ')}`
        : `give ${fewestZones} zones`,
  };
}

const guessed = (guess: string | undefined): string | undefined => guess && `did you mean "${guess}"?`;
