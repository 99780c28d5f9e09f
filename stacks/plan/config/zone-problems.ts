import { nearest, type Problem } from '@pinion-platform/pinion/api';
import { type ClusterConfig } from './cluster-config';
import { narrowRegions, regions, zonesIn } from './regions';

/** Minimum number of zones: etcd keeps its quorum with two members of three. */
const minZones = 3;

/** Validates region and zones. */
export function zoneProblems({ region, zones }: Pick<ClusterConfig, 'region' | 'zones'>): Problem[] {
  const known = zonesIn(region);
  const problems: Problem[] = [];
  if (known.length === 0)
    problems.push({
      code: 'unsupported-value',
      path: ['region'],
      value: region,
      reason: 'is not a known region',
      remedy: didYouMean(nearest(region, regions)) ?? `use ${regions.slice(0, 8).join(', ')} or another AWS region`,
    });
  zones.forEach((zone, index) => {
    const path = ['zones', index];
    const free = known.find((one) => !zones.includes(one));
    if (zones.indexOf(zone) !== index)
      problems.push({
        code: 'duplicate',
        path,
        value: zone,
        reason: 'is listed twice',
        remedy: free ? `use "${free}"` : 'list each zone once',
      });
    else if (zone.slice(0, -1) !== region)
      problems.push({
        code: 'invalid-combination',
        path,
        value: zone,
        reason: `is not in ${region}`,
        remedy: free ? `use "${free}", or region "${zone.slice(0, -1)}"` : `use region "${zone.slice(0, -1)}"`,
      });
    else if (known.length > 0 && !known.includes(zone))
      problems.push({
        code: 'unsupported-value',
        path,
        value: zone,
        reason: `is not a zone of ${region}`,
        remedy: `use ${known.join(', ')}`,
      });
  });
  if (zones.length < minZones || narrowRegions.includes(region)) problems.push(tooFew(region, zones, known));
  return problems;
}

function tooFew(region: string, zones: readonly string[], known: readonly string[]): Problem {
  const narrow = narrowRegions.includes(region);
  const missing = known.filter((one) => !zones.includes(one)).slice(0, minZones - zones.length);
  return {
    code: 'out-of-range',
    path: narrow ? ['region'] : ['zones'],
    value: narrow ? region : zones,
    reason: narrow
      ? `has only two zones per account; control plane nodes need ${minZones}`
      : `has fewer than ${minZones} zones, one per control plane node; etcd would lose its quorum with a zone`,
    remedy: narrow
      ? `use ${regions.filter((one) => one.startsWith(region.slice(0, 3)) && !narrowRegions.includes(one)).join(' or ')}`
      : missing.length > 0
        ? `add ${missing.map((zone) => `"${zone}"`).join(' and ')}`
        : `use ${minZones} zones`,
  };
}

const didYouMean = (guess: string | undefined): string | undefined => guess && `did you mean "${guess}"?`;
