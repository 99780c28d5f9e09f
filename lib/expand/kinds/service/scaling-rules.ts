import { type FieldPath, type Spec } from '../../../api';
import { type PlatformRule } from '../../policies/platform-rule';
import { type RulePath } from '../../policies/rule-paths';
import { type ProjectContext } from '../../project-context';

type ServiceSpec = Spec<'PinterestService'>;
type ServiceRule = PlatformRule<ServiceSpec>;

const customShared = {
  code: 'not-available',
  reason: 'uses a metric that this Platform does not serve',
  remedy: 'scale by cpu or memory, or set an adapter in spec.scaling of the Platform',
} as const;
const customServed = (autoscaling: string): string =>
  `${autoscaling}.custom.all(t, t.source == "Pods" ? has(params.spec.scaling.customAdapter) : has(params.spec.scaling.externalAdapter))`;

const scheduledShared = {
  code: 'not-available',
  reason: 'requires an adapter that serves its windows as a metric, and this Platform has none',
  remedy: 'remove scheduled, or set spec.scaling.scheduledAdapter of the Platform',
} as const;
const scheduledServed = 'has(params.spec.scaling.scheduledAdapter)';

/** Lists custom metrics for which the Platform has no adapter. */
const customPaths = (
  autoscaling: ServiceSpec['autoscaling'],
  path: FieldPath,
  { platform }: ProjectContext,
): RulePath[] =>
  (autoscaling?.custom ?? []).flatMap(({ metric, source }, index) => {
    const adapter = source === 'Pods' ? 'customAdapter' : 'externalAdapter';
    if (platform.spec.scaling[adapter] !== undefined) return [];
    return [
      {
        path: [...path, 'custom', index, 'metric'],
        value: metric,
        reason: `has source ${source}, and this Platform has no spec.scaling.${adapter} to serve it`,
        remedy: `scale by cpu or memory, or set spec.scaling.${adapter} of the Platform`,
      },
    ];
  });

/** Rules that the Platform serves the metrics by which a service, or one of its variants, scales. */
export const scalingRules: readonly ServiceRule[] = [
  {
    name: 'custom-metrics-served',
    field: ['autoscaling', 'custom'],
    cel: customServed('object.spec.autoscaling'),
    ...customShared,
    paths: ({ autoscaling }, context) => customPaths(autoscaling, ['autoscaling'], context),
  },
  {
    name: 'scheduled-targets-served',
    field: ['autoscaling', 'scheduled'],
    cel: scheduledServed,
    ...scheduledShared,
  },
  {
    name: 'variant-custom-metrics-served',
    field: ['variants'],
    cel: `object.spec.variants.all(v, !has(v.autoscaling) || !has(v.autoscaling.custom) || ${customServed('v.autoscaling')})`,
    ...customShared,
    paths: ({ variants = [] }, context) =>
      variants.flatMap(({ autoscaling }, index) =>
        customPaths(autoscaling, ['variants', index, 'autoscaling'], context),
      ),
  },
  {
    name: 'variant-scheduled-targets-served',
    field: ['variants'],
    cel: `${scheduledServed} || object.spec.variants.all(v, !has(v.autoscaling) || !has(v.autoscaling.scheduled))`,
    ...scheduledShared,
    paths: ({ variants = [] }) =>
      variants.flatMap(({ autoscaling }, index) =>
        autoscaling?.scheduled ? [{ path: ['variants', index, 'autoscaling', 'scheduled'] }] : [],
      ),
  },
];
