import { metadataKeys, type Spec } from '../../../api';
import { type PlatformRule } from '../../policies/platform-rule';
import { hostPathKey, namespaceFacts } from '../../policies/rule-facts';
import { containerPaths, offerOf, poolNames, unknownPaths } from '../../policies/rule-paths';

type DaemonRule = PlatformRule<Spec<'PinterestDaemon'>>;
type Paths = NonNullable<DaemonRule['paths']>;

const unprivileged = '!has(c.securityContext) || !has(c.securityContext.privileged) || !c.securityContext.privileged';
const allowed = (what: string) => `"${metadataKeys.host}-${what}" in namespaceObject.metadata.annotations`;

/** Paths of the machine that the Project does not allow. */
const hostPathPaths: Paths = ({ host }, context) => {
  const allowed = namespaceFacts(context).metadata.annotations[hostPathKey]?.split(',') ?? [];
  const covers = (path: string) => (prefix: string) =>
    path === prefix || path.startsWith(prefix === '/' ? prefix : `${prefix}/`);
  const remedy =
    allowed.length === 0
      ? 'remove it, or have the Project name it in host.paths; none is offered'
      : offerOf(allowed).replace(/^use /, 'use a path at or below ');
  return host.paths.flatMap(({ path }, index) =>
    allowed.some(covers(path))
      ? []
      : [
          {
            path: ['host', 'paths', index, 'path'],
            value: path,
            reason: 'is a path of the machine that the Project does not allow its daemons',
            remedy,
          },
        ],
  );
};

/** Containers that are privileged. */
const privilegedPaths: Paths = ({ template }) =>
  containerPaths(template.spec, ['template', 'spec'])
    .filter(({ container }) => container.securityContext?.privileged)
    .map(({ container: { name }, path }) => ({
      path: [...path, 'securityContext', 'privileged'],
      value: true,
      reason: `makes the container ${name} privileged, which the Project does not allow its daemons`,
    }));

/** Platform rules of daemons: the project must allow their access to nodes. */
export const daemonPlatformRules: readonly DaemonRule[] = [
  {
    name: 'daemon-pools-offered',
    field: ['pools'],
    cel: 'object.spec.pools.all(n, params.spec.pools.exists(p, p.name == n))',
    code: 'not-available',
    reason: 'names a node pool that this Platform does not offer',
    remedy: 'use names of its spec.pools',
    paths: ({ pools = [] }, context) =>
      unknownPaths(pools, poolNames(context), ['pools'], 'is no node pool of this Platform'),
  },
  {
    name: 'daemon-infrastructure',
    field: [],
    cel: `has(namespaceObject.metadata.labels) && "${metadataKeys.infrastructure}" in namespaceObject.metadata.labels && namespaceObject.metadata.labels["${metadataKeys.infrastructure}"] == "true"`,
    code: 'not-available',
    reason: 'is a daemon in a project that is not of the infrastructure',
    remedy: 'use a PinterestService, or have the Project set infrastructure to true',
  },
  ...(['network', 'pid', 'ipc'] as const).map((what): DaemonRule => ({
    name: `daemon-host-${what}`,
    field: ['host', what],
    cel: `!object.spec.host.${what} || (has(namespaceObject.metadata.annotations) && ${allowed(what)})`,
    code: 'not-available',
    reason: 'is access to machines that the Project does not allow its daemons',
    remedy: `leave it out, or have the Project set host.${what} to true`,
  })),
  {
    name: 'daemon-host-paths',
    field: ['host', 'paths'],
    cel: `size(object.spec.host.paths) == 0 || (has(namespaceObject.metadata.annotations) && "${hostPathKey}" in namespaceObject.metadata.annotations && object.spec.host.paths.all(h, namespaceObject.metadata.annotations["${hostPathKey}"].split(",").exists(a, h.path == a || h.path.startsWith(a == "/" ? a : a + "/"))))`,
    code: 'not-available',
    reason: 'names a path of the machine that the Project does not allow its daemons',
    remedy: "use paths below those of the Project's host.paths",
    paths: hostPathPaths,
  },
  {
    name: 'daemon-host-privileged',
    field: ['template'],
    cel: `(has(namespaceObject.metadata.annotations) && ${allowed('privileged')}) || (object.spec.template.spec.containers.all(c, ${unprivileged}) && (!has(object.spec.template.spec.initContainers) || object.spec.template.spec.initContainers.all(c, ${unprivileged})))`,
    code: 'not-available',
    reason: 'has a privileged container, which the Project does not allow its daemons',
    remedy: 'remove privileged: true, or have the Project set host.privileged to true',
    paths: privilegedPaths,
  },
];
