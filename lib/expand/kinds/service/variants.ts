import { metadataKeys, recommended, type Workload } from '../../../api';
import { versionOf } from '../../objects/labels';
import { derivedName } from '../../objects/name';
import { withOverrides } from '../../pods/template-overrides';

type Service = Workload<'PinterestService'>;
type Variant = NonNullable<Service['spec']['variants']>[number];

/** One of the Deployments of a service. */
export interface ServiceDeployment {
  /** Workload with what the variant overrides, and with its number of pods. */
  readonly workload: Service;
  /** Name of the Deployment and of its autoscaler. */
  readonly name: string;
  /** Labels that select its pods, besides those of the workload; empty without variants. */
  readonly labels: Readonly<Record<string, string>>;
  /** Labels of the Deployment and its autoscaler that differ from those of the workload. */
  readonly objectLabels?: Readonly<Record<string, string>>;
  readonly pool?: string | undefined;
}

/** Lists the Deployments of a service: one, or one per variant. */
export function deploymentsOf(workload: Service): readonly ServiceDeployment[] {
  const { name } = workload.metadata;
  return (
    workload.spec.variants?.map((variant) => {
      const own = withVariant(workload, variant);
      const labels = { [metadataKeys.variant]: variant.name };
      return {
        workload: own,
        name: derivedName([name, variant.name]),
        labels,
        objectLabels: { ...labels, [recommended.version]: versionOf(own) },
        pool: variant.pool,
      };
    }) ?? [{ workload, name: derivedName([name]), labels: {} }]
  );
}

function withVariant(workload: Service, variant: Variant): Service {
  const { replicas, autoscaling, image } = variant;
  // The version of the workload describes the image of its template.
  const version = variant.version ?? (image === undefined ? workload.spec.version : undefined);
  return { ...workload, spec: { ...withOverrides(workload.spec, variant), version, replicas, autoscaling } };
}

/** Returns the maximum number of pods of all variants of a service. */
export const maxPods = (workload: Service): number =>
  deploymentsOf(workload).reduce(
    (sum, { workload: { spec } }) => sum + (spec.autoscaling?.maxReplicas ?? spec.replicas ?? 1),
    0,
  );
