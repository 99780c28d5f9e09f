import { metadataKeys, type Spec } from '../../../api';
import { type PlatformRule } from '../../policies/platform-rule';
import { hostPathKey, isInfrastructureProject, namespaceFacts } from '../../policies/rule-facts';
import { containerPaths, suggestValues, poolNames, unknownPaths } from '../../policies/rule-paths';

type DaemonRule = PlatformRule<Spec<'PinterestDaemon'>>;
type Paths = NonNullable<DaemonRule['paths']>;

const unprivileged = '!has(c.securityContext) || !has(c.securityContext.privileged) || !c.securityContext.privileged';
const allowsHostAccess = (access: string) => `"${metadataKeys.host}-${access}" in namespaceObject.metadata.annotations`;

/** Lists host paths that the Project does not allow. */
const hostPathPaths: Paths = ({ host }, context) => {
  const allowed = namespaceFacts(context).metadata.annotations[hostPathKey]?.split(',') ?? [];
  const isAtOrBelow = (path: string) => (prefix: string) =>
    path === prefix || path.startsWith(prefix === '/' ? prefix : `${prefix}/`);
  const remedy =
    allowed.length === 0
      ? 'remove it, or add it to spec.host.paths of the Project; none is allowed'
      : suggestValues(allowed).replace(/^use /, 'use a path at or below ');
  return host.paths.flatMap(({ path }, index) =>
    allowed.some(isAtOrBelow(path))
      ? []
      : [
          {
            path: ['host', 'paths', index, 'path'],
            value: path,
            reason: 'is a host path that the Project does not allow',
            remedy,
          },
        ],
  );
};

/** Lists privileged containers. */
const privilegedPaths: Paths = ({ template }) =>
  containerPaths(template.spec, ['template', 'spec'])
    .filter(({ container }) => container.securityContext?.privileged)
    .map(({ container: { name }, path }) => ({
      path: [...path, 'securityContext', 'privileged'],
      value: true,
      reason: `makes the container ${name} privileged, which the Project does not allow`,
    }));

/** Platform rules for daemons: the project must allow their access to nodes. */
export const daemonPlatformRules: readonly DaemonRule[] = [
  {
    name: 'daemon-pools-offered',
    field: ['pools'],
    cel: 'object.spec.pools.all(n, params.spec.pools.exists(p, p.name == n))',
    code: 'not-available',
    reason: 'names a node pool that this Platform does not offer',
    remedy: 'use names of its spec.pools',
    paths: ({ pools = [] }, context) =>
      unknownPaths(pools, poolNames(context), ['pools'], 'is not a node pool of this Platform'),
  },
  {
    name: 'daemon-infrastructure',
    field: [],
    cel: isInfrastructureProject,
    code: 'not-available',
    reason: 'is a daemon in a project that is not for infrastructure',
    remedy: 'use a PinterestService, or set spec.infrastructure of the Project to true',
  },
  ...(['network', 'pid', 'ipc'] as const).map((access): DaemonRule => ({
    name: `daemon-host-${access}`,
    field: ['host', access],
    cel: `!object.spec.host.${access} || (has(namespaceObject.metadata.annotations) && ${allowsHostAccess(access)})`,
    code: 'not-available',
    reason: 'is host access that the Project does not allow',
    remedy: `remove it, or set spec.host.${access} of the Project to true`,
  })),
  {
    name: 'daemon-host-paths',
    field: ['host', 'paths'],
    cel: `size(object.spec.host.paths) == 0 || (has(namespaceObject.metadata.annotations) && "${hostPathKey}" in namespaceObject.metadata.annotations && object.spec.host.paths.all(h, namespaceObject.metadata.annotations["${hostPathKey}"].split(",").exists(a, h.path == a || h.path.startsWith(a == "/" ? a : a + "/"))))`,
    code: 'not-available',
    reason: 'names a host path that the Project does not allow',
    remedy: 'use paths below spec.host.paths of the Project',
    paths: hostPathPaths,
  },
  {
    name: 'daemon-host-privileged',
    field: ['template'],
    cel: `(has(namespaceObject.metadata.annotations) && ${allowsHostAccess('privileged')}) || (object.spec.template.spec.containers.all(c, ${unprivileged}) && (!has(object.spec.template.spec.initContainers) || object.spec.template.spec.initContainers.all(c, ${unprivileged})))`,
    code: 'not-available',
    reason: 'has a privileged container, which the Project does not allow',
    remedy: 'remove privileged: true, or set spec.host.privileged of the Project to true',
    paths: privilegedPaths,
  },
];
