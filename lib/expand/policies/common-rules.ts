import { isOwnRole, ownsRole, roleArn } from '../platform/iam-roles';
import { isOpenTier, openTiers } from '../platform/tiers';
import { type PlatformRule } from './platform-rule';
import { ruleVariables } from './rule-facts';
import { poolNames, suggestValues, unknownPaths } from './rule-paths';

type Paths = NonNullable<PlatformRule['paths']>;

/** Returns the path of an unknown pool. */
const poolPaths: Paths = ({ placement }, context) => [
  { path: ['placement', 'pool'], value: placement.pool, offered: poolNames(context) },
];

/** Lists unknown zones. */
const zonePaths: Paths = ({ placement }, { platform: { spec } }) =>
  unknownPaths(placement.zones ?? [], spec.zones, ['placement', 'zones'], 'is not a zone of this Platform');

/** Returns the path of an unknown tier. */
const tierPaths: Paths = ({ tier }, { platform: { spec } }) => [
  { path: ['tier'], value: tier, offered: spec.tiers.map(({ name }) => name) },
];

/** Returns the path of a tier that the project may not take; an unknown tier is reported by another rule. */
const tierAllowedPaths: Paths = ({ tier }, { platform, project }) => [
  { path: ['tier'], value: tier, remedy: tierRemedy([...openTiers(platform), ...project.spec.tiers]) },
];
const tierRemedy = (offered: readonly string[]): string =>
  `${suggestValues([...new Set(offered)])}, or ask the platform team to add it to spec.tiers of the Project`;

/** CEL expression of the ARN of the role; empty if the Platform has no account to resolve its name in. */
const arn =
  '(object.spec.iamRole.startsWith("arn:") ? object.spec.iamRole : has(params.spec.aws) ? "arn:" + params.spec.aws.partition + ":iam::" + params.spec.aws.accountId + ":role/" + object.spec.iamRole : "")';

/** Returns the path of a role of another project, with its ARN. */
const rolePaths: Paths = ({ iamRole = '' }, { platform, iamRoles, project }) => {
  const role = roleArn(iamRole, platform);
  if (role === undefined || ownsRole(iamRoles, role)) return [];
  const reason = `is the role ${role}, which does not belong to this project`;
  const remedy = `use a role in the path /${project.metadata.name}/, or ask the platform team to add it to spec.iamRoles of the Project`;
  return [{ path: ['iamRole'], value: iamRole, remedy, ...(role !== iamRole && { reason }) }];
};

/** Lists parts that the profile does not add to pods. */
const unknownPartPaths: Paths = ({ sidecars = {} }, context) => {
  const { parts } = ruleVariables(context);
  return Object.keys(sidecars)
    .filter((name) => !parts.includes(name))
    .map((name) => ({
      path: ['sidecars', name],
      offered: parts,
      reason: 'is not a part that the runtime profile adds to pods',
    }));
};

/** Lists required parts that are disabled. */
const requiredPartPaths: Paths = ({ sidecars = {} }, context) => {
  const { required } = ruleVariables(context);
  return Object.entries(sidecars)
    .filter(([name, { enabled }]) => enabled === false && required.includes(name))
    .map(([name]) => ({ path: ['sidecars', name, 'enabled'], value: false }));
};

/** Lists enabled parts that are unavailable on the Platform. */
const unavailablePartPaths: Paths = ({ sidecars = {} }, { runtime: { unavailable } }) =>
  Object.entries(sidecars).flatMap(([name, { enabled }]) => {
    const cause = unavailable.get(name);
    if (enabled !== true || cause === undefined) return [];
    const reason = `enables a part that is unavailable on this Platform: ${cause}`;
    return [{ path: ['sidecars', name, 'enabled'], value: true, reason }];
  });

/** Lists settings that a part does not declare. */
const settingPaths: Paths = ({ sidecars = {} }, context) => {
  const declared = new Map(Object.entries(ruleVariables(context).settings));
  return Object.entries(sidecars).flatMap(([name, { config = {} }]) => {
    const offered = declared.get(name);
    if (!offered) return [];
    return Object.entries(config)
      .filter(([key]) => !offered.includes(key))
      .map(([key, value]) => ({
        path: ['sidecars', name, 'config', key],
        value,
        offered,
        reason: `is not a setting of the part ${name}`,
      }));
  });
};

/** Platform rules for every workload kind. */
export const commonRules: readonly PlatformRule[] = [
  {
    name: 'pool-offered',
    field: ['placement', 'pool'],
    cel: 'params.spec.pools.exists(p, p.name == object.spec.placement.pool)',
    code: 'not-available',
    reason: 'is not a node pool of this Platform',
    remedy: 'use one of its spec.pools, or remove it',
    paths: poolPaths,
  },
  {
    name: 'zones-offered',
    field: ['placement', 'zones'],
    cel: 'size(params.spec.zones) == 0 || object.spec.placement.zones.all(z, z in params.spec.zones)',
    code: 'not-available',
    reason: 'names a zone that this Platform does not have',
    remedy: 'use zones of its spec.zones',
    paths: zonePaths,
  },
  {
    name: 'tier-offered',
    field: ['tier'],
    cel: 'params.spec.tiers.exists(t, t.name == object.spec.tier)',
    code: 'not-available',
    reason: 'is not a tier of this Platform',
    remedy: 'use one of its spec.tiers, or remove it',
    paths: tierPaths,
  },
  {
    name: 'tier-allowed',
    field: ['tier'],
    cel: `object.spec.tier in variables.tiers || ${isOpenTier('object.spec.tier')} || !params.spec.tiers.exists(t, t.name == object.spec.tier)`,
    needsProject: true,
    code: 'not-available',
    reason: 'is a tier whose pods may preempt others, which this project may not take',
    remedy: 'use another tier, or ask the platform team to add it to spec.tiers of the Project',
    paths: tierAllowedPaths,
  },
  {
    name: 'iam-account-known',
    field: ['iamRole'],
    cel: 'object.spec.iamRole.startsWith("arn:") || has(params.spec.aws)',
    code: 'not-available',
    reason: 'is a role name, and this Platform has no AWS account to resolve it in',
    remedy: 'use the ARN of the role, or set spec.aws of the Platform',
  },
  {
    name: 'iam-role-owned',
    field: ['iamRole'],
    cel: `!(object.spec.iamRole.startsWith("arn:") || has(params.spec.aws)) || [${arn}].all(r, ${isOwnRole('r')})`,
    needsProject: true,
    code: 'not-available',
    reason: 'is a role that does not belong to this project',
    remedy: 'use a role in the path /<project>/, or ask the platform team to add it to spec.iamRoles of the Project',
    paths: rolePaths,
  },
  {
    name: 'sidecar-known',
    field: ['sidecars'],
    cel: 'object.spec.sidecars.all(n, n in variables.parts)',
    code: 'not-available',
    reason: 'names a part that the runtime profile does not add to pods',
    remedy: 'use names of its parts',
    paths: unknownPartPaths,
  },
  {
    name: 'sidecar-required',
    field: ['sidecars'],
    cel: 'object.spec.sidecars.all(n, [object.spec.sidecars[n]].all(c, !has(c.enabled) || c.enabled || !(n in variables.required)))',
    code: 'not-available',
    reason: 'disables a part that every workload requires',
    remedy: 'remove enabled: false; only optional parts can be disabled',
    paths: requiredPartPaths,
  },
  {
    name: 'sidecar-available',
    field: ['sidecars'],
    cel: 'object.spec.sidecars.all(n, [object.spec.sidecars[n]].all(c, !has(c.enabled) || !c.enabled || !(n in variables.off)))',
    code: 'not-available',
    reason: 'enables a part that is unavailable on this Platform, which has no image or value for it',
    remedy: 'remove enabled: true, or set what the part needs in spec.runtime of the Platform',
    paths: unavailablePartPaths,
  },
  {
    name: 'sidecar-settings',
    field: ['sidecars'],
    cel: 'object.spec.sidecars.all(n, [dyn(object.spec.sidecars[n])].all(c, !has(c.config) || !(n in variables.settings) || c.config.all(k, k in variables.settings[n])))',
    code: 'not-available',
    reason: 'has a setting that the part does not declare',
    remedy: 'use the settings of the part',
    paths: settingPaths,
  },
];
