import { type Container, type DeploymentHook, type LocatedPodTemplate, type PodTemplate } from '../../api';
import { type ProjectContext } from '../project-context';
import { type PlatformRule } from './platform-rule';
import { containerPaths, type RulePath } from './rule-paths';

const hasResources =
  'has(c.resources) && has(c.resources.requests) && has(c.resources.limits) && "cpu" in c.resources.requests && "memory" in c.resources.requests && "memory" in c.resources.limits';
const allHaveResources = (template: string) =>
  `(${template}.spec.containers.all(c, ${hasResources}) && (!has(${template}.spec.initContainers) || ${template}.spec.initContainers.all(c, ${hasResources})))`;

const resources = [
  ['requests', 'cpu'],
  ['requests', 'memory'],
  ['limits', 'memory'],
] as const;

/** Lists the requests and limits that a container in a strict tier lacks. */
export const missingResources = ({ resources: declared }: Pick<Container, 'resources'>) =>
  resources.filter(([kind, resource]) => !Object.hasOwn(declared?.[kind] ?? {}, resource));

/** Lists missing requests and limits of containers in a strict tier. */
function missingPaths(
  templates: readonly LocatedPodTemplate[],
  { tier }: { readonly tier?: string | undefined },
  { platform }: ProjectContext,
): RulePath[] {
  return templates
    .flatMap(({ template, path }) => containerPaths(template.spec, [...path, 'spec']))
    .flatMap(({ container, path }) =>
      missingResources(container).map(([kind, resource]) => ({
        path: [...path, 'resources', kind, resource],
        reason: `is missing in the container ${container.name}; the tier ${tier ?? platform.spec.defaultTier} requires it of every container`,
        remedy: `set resources.${kind}.${resource}`,
      })),
    );
}

const shared = {
  readsTemplates: true,
  code: 'required',
  reason: 'lacks a CPU request, a memory request or a memory limit, which the tier requires of every container',
  remedy: 'set resources.requests.cpu, resources.requests.memory and resources.limits.memory',
} as const;

interface WithTier {
  readonly tier?: string | undefined;
}

/** Rule that containers in a strict tier set their requests and memory limit, for kinds with one pod template. */
export const requestsRule: PlatformRule<WithTier & { readonly template?: PodTemplate | undefined }> = {
  name: 'requests-stated',
  field: ['template'],
  cel: `!(variables.tier in variables.strictTiers) || ${allHaveResources('object.spec.template')}`,
  ...shared,
  paths: (spec, context) =>
    missingPaths(spec.template ? [{ template: spec.template, path: ['template'] }] : [], spec, context),
};

/** The same rule for the jobs of kinds with several. */
export const jobRequestsRule: PlatformRule<
  WithTier & {
    readonly replicatedJobs?: readonly { readonly template: PodTemplate }[] | undefined;
  }
> = {
  name: 'requests-stated-in-jobs',
  field: ['replicatedJobs'],
  cel: `!(variables.tier in variables.strictTiers) || object.spec.replicatedJobs.all(j, ${allHaveResources('j.template')})`,
  ...shared,
  paths: ({ replicatedJobs = [], ...spec }, context) =>
    missingPaths(
      replicatedJobs.map(({ template }, index) => ({ template, path: ['replicatedJobs', index, 'template'] })),
      spec,
      context,
    ),
};

/** The same rule for hooks that set their own; others have those of the app. */
export const hookRequestsRule: PlatformRule<
  WithTier & { readonly beforeDeployment?: readonly DeploymentHook[] | undefined }
> = {
  name: 'requests-stated-in-hooks',
  field: ['beforeDeployment'],
  cel: `!(variables.tier in variables.strictTiers) || object.spec.beforeDeployment.all(c, !has(c.resources) || (${hasResources}))`,
  ...shared,
  paths: ({ beforeDeployment = [], tier }, { platform }) =>
    beforeDeployment.flatMap(({ name, resources: declared }, index) =>
      (declared ? missingResources({ resources: declared }) : []).map(([kind, resource]) => ({
        path: ['beforeDeployment', index, 'resources', kind, resource],
        reason: `is missing in the hook ${name}; the tier ${tier ?? platform.spec.defaultTier} requires it of every container`,
        remedy: `set resources.${kind}.${resource}`,
      })),
    ),
};

/** The same rule for kinds whose roles have templates. */
export const roleRequestsRule: PlatformRule<
  WithTier & {
    readonly template?: PodTemplate | undefined;
    readonly roles: Readonly<Record<string, { readonly template?: PodTemplate | undefined }>>;
  }
> = {
  name: 'requests-stated-in-roles',
  field: ['roles'],
  cel: `!(variables.tier in variables.strictTiers) || ((!has(object.spec.template) || ${allHaveResources('object.spec.template')}) && object.spec.roles.all(r, [object.spec.roles[r]].all(m, !has(m.template) || ${allHaveResources('m.template')})))`,
  ...shared,
  paths: (spec, context) => {
    const sharedTemplates = spec.template ? [{ template: spec.template, path: ['template'] }] : [];
    const roleTemplates = Object.entries(spec.roles).flatMap(([role, { template }]) =>
      template ? [{ template, path: ['roles', role, 'template'] }] : [],
    );
    return missingPaths([...sharedTemplates, ...roleTemplates], spec, context);
  },
};
