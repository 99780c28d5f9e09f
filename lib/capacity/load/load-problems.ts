import { nearest, type Problem } from '../../api';
import { flagProblems } from '../flags/flag-problems';
import { removedFlags } from '../flags/planned-flags';
import { catalogRegions } from '../sizing/instance-type';
import { mixProblems } from './mix-problems';
import { nodeGroupProblems } from './node-group-problems';
import { typeProblems } from './type-problems';
import { type Load } from './load';
import { maxPodsPerNode } from '../sizing/pool-machines';
import { recommendedQuotaBytes } from '../sizing/plan-volume';

/** Returns the problems across fields of a load whose fields are each valid. */
export function loadProblems(load: Load): Problem[] {
  return [
    ...zoneProblems(load),
    ...sizeProblems(load),
    ...mixProblems(load),
    ...overrideProblems(load),
    ...nodeGroupProblems(load),
    ...flagProblems(load),
  ];
}

function zoneProblems({ region, zones, overrides }: Load): Problem[] {
  const problems: Problem[] = [];
  if (!catalogRegions.includes(region)) {
    const guess = nearest(region, catalogRegions);
    const remedy = guess
      ? `did you mean "${guess}"?`
      : `use ${catalogRegions.slice(0, 8).join(', ')} or another AWS region`;
    problems.push({
      code: 'unsupported-value',
      path: ['region'],
      value: region,
      reason: 'is not a known region',
      remedy,
    });
  }
  zones.forEach((zone, index) => {
    const path = ['zones', index];
    if (zone.slice(0, -1) !== region)
      problems.push({
        code: 'invalid-combination',
        path,
        value: zone,
        reason: `is not in ${region}`,
        remedy: `use a zone such as "${region}a"`,
      });
    if (zones.indexOf(zone) !== index)
      problems.push({ code: 'duplicate', path, value: zone, reason: 'is listed twice', remedy: 'list each zone once' });
  });
  if (zones.length % 2 === 0 || zones.length === 1) {
    const members =
      zones.length === 1
        ? 'a single etcd member tolerates no failure'
        : `${zones.length} ${lossTolerance(zones.length)}`;
    problems.push({
      code: 'out-of-range',
      path: ['zones'],
      value: zones,
      reason: `each zone has one control plane node, and ${members}`,
      remedy: `use ${zones.length === 1 ? 3 : zones.length + 1} zones`,
    });
  }
  for (const name of ['controlPlaneNodes', 'etcdMembers'] as const) {
    const count = overrides[name];
    if (count === undefined) continue;
    const path = ['overrides', name];
    if (count % 2 === 0)
      problems.push({
        code: 'out-of-range',
        path,
        value: count,
        reason: lossTolerance(count),
        remedy: `use ${Math.max(3, count - 1)} or ${count + 1}`,
      });
    else if (count !== zones.length)
      problems.push({
        code: 'invalid-combination',
        path,
        value: count,
        reason: `must be one per zone, and there are ${zones.length} zones`,
        remedy: count < 3 ? 'remove it' : `use ${count} zones, or remove it`,
      });
  }
  return problems;
}

const lossTolerance = (count: number): string =>
  `etcd members tolerate the loss of ${count / 2 - 1}, the same as ${count - 1}`;

function sizeProblems({ nodes, pods, largestNamespacePods, customResources, overrides }: Load): Problem[] {
  const problems: Problem[] = [];
  if (pods > maxPodsPerNode * nodes)
    problems.push({
      code: 'invalid-combination',
      path: ['pods'],
      value: pods,
      reason: `exceed ${maxPodsPerNode} pods on each of ${nodes} nodes`,
      remedy: `plan ${Math.ceil(pods / maxPodsPerNode)} nodes, or at most ${maxPodsPerNode * nodes} pods`,
    });
  if (largestNamespacePods > pods)
    problems.push({
      code: 'invalid-combination',
      path: ['largestNamespacePods'],
      value: largestNamespacePods,
      reason: `exceed the total of ${pods} pods`,
      remedy: `use at most ${pods}`,
    });
  const names = customResources.map(({ name }) => name);
  names.forEach((name, index) => {
    if (names.indexOf(name) !== index)
      problems.push({
        code: 'duplicate',
        path: ['customResources', index, 'name'],
        value: name,
        reason: 'is listed twice',
        remedy: 'list each resource once',
      });
  });
  if (overrides.etcdQuotaBytes !== undefined && overrides.etcdQuotaBytes > recommendedQuotaBytes)
    problems.push({
      code: 'out-of-range',
      path: ['overrides', 'etcdQuotaBytes'],
      value: overrides.etcdQuotaBytes,
      reason: "exceeds etcd's recommended maximum of 8 GiB",
      remedy: `use ${recommendedQuotaBytes}, unless you have tested the recovery of a larger member`,
      severity: 'warning',
    });
  return problems;
}

function overrideProblems({ overrides, region, kubernetes }: Load): Problem[] {
  const sizes = Object.entries(overrides.watchCacheSizes ?? {}).filter(([, size]) => size !== 0);
  const problems: Problem[] = sizes.map(([resource, size]) => ({
    code: 'unsupported-field',
    path: ['overrides', 'watchCacheSizes', resource],
    value: size,
    reason: `is ignored by ${kubernetes}: watch caches size themselves since 1.19, and only 0 (off) has an effect`,
    remedy: 'raise overrides.requestTimeoutSeconds to keep a longer history (timeout + 15 s), or use 0',
  }));
  const disabledCaches = Object.keys(overrides.watchCacheSizes ?? {}).filter(
    (name) => name === 'pods' || name === 'nodes',
  );
  for (const name of disabledCaches)
    if (overrides.watchCacheSizes?.[name] === 0)
      problems.push({
        code: 'invalid-combination',
        path: ['overrides', 'watchCacheSizes', name],
        value: 0,
        reason: 'sends every list and watch of it to etcd, a load that this plan does not include',
        remedy: 'remove it',
        severity: 'warning',
      });
  return [
    ...problems,
    ...typeProblems(overrides.controlPlaneInstanceType, ['overrides', 'controlPlaneInstanceType'], region, 'amd64'),
  ];
}

/** Returns why an override of an older version was removed, and its replacement. */
export function removedOverride(name: string): { readonly reason: string; readonly remedy: string } | undefined {
  const asFlag = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return Object.hasOwn(removedFlags, asFlag) ? removedFlags[asFlag] : undefined;
}
