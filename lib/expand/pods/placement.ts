import {
  type Affinity,
  type PodSpec,
  type Spec,
  type Toleration,
  type TopologySpreadConstraint,
  type Workload,
} from '../../api';
import { type ProjectContext } from '../project-context';

const zoneKey = 'topology.kubernetes.io/zone';
const hostKey = 'kubernetes.io/hostname';

/** Returns the node pool of a workload. Defaults to the default pool of its project or the Platform; undefined for any node. */
export function poolOf(
  workload: Workload,
  context: ProjectContext,
  override?: string,
): Spec<'Platform'>['pools'][number] | undefined {
  const name =
    override ?? workload.spec.placement.pool ?? context.project.spec.defaultPool ?? context.platform.spec.defaultPool;
  return context.platform.spec.pools.find((pool) => pool.name === name);
}

/** Returns the tier of a workload. Defaults to the Platform's. */
export const tierOf = (workload: Workload, context: ProjectContext): string =>
  workload.spec.tier ?? context.platform.spec.defaultTier;

/** Placement options that the kind of a workload sets. */
interface PlacementOptions {
  /** Pool that overrides that of the workload. */
  readonly pool?: string | undefined;
  readonly spread: boolean;
  /** Whether each revision is spread separately. */
  readonly revisions: boolean;
}

/** Returns the placement of pods: node selector, tolerations, zone affinity, topology spread. */
export function placementOf(
  workload: Workload,
  context: ProjectContext,
  selector: Readonly<Record<string, string>>,
  own: Pick<PodSpec, 'affinity' | 'nodeSelector' | 'topologySpreadConstraints'>,
  options: PlacementOptions,
): Pick<PodSpec, 'affinity' | 'nodeSelector' | 'tolerations' | 'topologySpreadConstraints'> {
  const pool = poolOf(workload, context, options.pool);
  const nodeSelector = { ...pool?.nodeSelector, ...own.nodeSelector };
  const tier = context.platform.spec.tiers.find((candidate) => candidate.name === tierOf(workload, context));
  const tolerations: Toleration[] = [...(pool?.tolerations ?? []), ...(tier?.tolerations ?? [])];
  const declared = own.topologySpreadConstraints ?? [];
  const added = options.spread ? spreadOf(workload, selector, options.revisions) : [];
  // Kubernetes rejects two constraints with the same topology key; the workload's own takes precedence.
  const spread = [
    ...added.filter(({ topologyKey }) => !declared.some((other) => other.topologyKey === topologyKey)),
    ...declared,
  ];
  const affinity = zoneAffinity(workload.spec.placement.zones, own.affinity);
  return {
    ...(Object.keys(nodeSelector).length > 0 && { nodeSelector }),
    ...(tolerations.length > 0 && { tolerations }),
    ...(affinity && { affinity }),
    ...(spread.length > 0 && { topologySpreadConstraints: spread }),
  };
}

function spreadOf(
  workload: Workload,
  selector: Readonly<Record<string, string>>,
  revisions: boolean,
): TopologySpreadConstraint[] {
  const { zones, hosts, maxSkew } = workload.spec.placement.spread;
  const constraint = (topologyKey: string, rule: 'Required' | 'Preferred'): TopologySpreadConstraint => ({
    labelSelector: { matchLabels: selector },
    ...(revisions && { matchLabelKeys: ['pod-template-hash'] }),
    maxSkew,
    topologyKey,
    // Nodes with taints that the pods do not tolerate must not count as empty; otherwise pods would stay pending forever.
    ...(rule === 'Required' && { nodeTaintsPolicy: 'Honor' as const }),
    whenUnsatisfiable: rule === 'Required' ? 'DoNotSchedule' : 'ScheduleAnyway',
  });
  return [
    ...(zones === 'Off' ? [] : [constraint(zoneKey, zones)]),
    ...(hosts === 'Off' ? [] : [constraint(hostKey, hosts)]),
  ];
}

/** Adds the zones to every term of an affinity. */
function zoneAffinity(zones: readonly string[] | undefined, own: Affinity | undefined): Affinity | undefined {
  if (!zones) return own;
  const inZones = { key: zoneKey, operator: 'In' as const, values: [...zones] };
  const node = own?.nodeAffinity;
  const terms = node?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [{}];
  return {
    ...own,
    nodeAffinity: {
      ...node,
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: terms.map((term) => ({
          ...term,
          matchExpressions: [...(term.matchExpressions ?? []), inZones],
        })),
      },
    },
  };
}
