import { metadataKeys, manager, recommended, traitsOf, type PodTemplate, type Workload } from '../../api';
import { type Injection } from '../profile/injection';
import { hookSelectorOf, imageOf, labelsOf } from '../objects/labels';
import { type ProjectContext } from '../project-context';

/** Pod metadata that the workload and its kind set. */
interface OwnMetadata {
  readonly template: PodTemplate;
  readonly member?: string;
  readonly hook?: string;
  readonly expiry?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Returns the labels and annotations of a workload's pods, including those that are passed to containers as variables. */
export function podMetadata(
  workload: Workload,
  context: ProjectContext,
  request: OwnMetadata,
  injection: Pick<Injection, 'labels' | 'annotations'>,
) {
  const { platform, profile, project } = context;
  const annotations: Record<string, string> = {
    ...injection.annotations,
    ...(request.hook === undefined && metricsAnnotations(workload)),
    ...request.template.metadata?.annotations,
    ...workload.spec.annotations,
    ...request.annotations,
    ...(request.hook === undefined && restartAnnotation(workload)),
    [metadataKeys.cluster]: platform.spec.cluster,
    [metadataKeys.environment]: platform.spec.environment,
    [metadataKeys.image]:
      request.hook === undefined ? imageOf(workload) : (request.template.spec.containers[0]?.image ?? ''),
    [metadataKeys.owner]: workload.spec.team ?? project.spec.team,
    [metadataKeys.creator]: `${manager}/${workload.kind}/${workload.metadata.namespace}/${workload.metadata.name}`,
    [metadataKeys.expiry]: request.expiry ?? 'never',
    [metadataKeys.profile]: profile.metadata.name,
  };
  const labels = {
    ...injection.labels,
    ...request.template.metadata?.labels,
    ...request.labels,
    ...labelsOf(workload, context, request.member),
    ...(request.hook !== undefined && hookLabels(workload, request.hook)),
  };
  return { labels, annotations };
}

const hookLabels = (workload: Workload, hook: string): Record<string, string> => ({
  ...hookSelectorOf(workload),
  [recommended.component]: hook,
  [metadataKeys.hook]: hook,
});

/** Only pods that run until replaced restart: a run would start again from its beginning. */
function restartAnnotation({ kind, metadata }: Workload): Record<string, string> {
  const requested = metadata.annotations?.[metadataKeys.restart];
  return requested !== undefined && traitsOf(kind).lifecycle === 'Continuous'
    ? { [metadataKeys.restart]: requested }
    : {};
}

function metricsAnnotations({ spec }: Workload): Record<string, string> {
  return spec.metrics === undefined
    ? {}
    : {
        'prometheus.io/scrape': 'true',
        'prometheus.io/port': String(spec.metrics.port),
        'prometheus.io/path': spec.metrics.path,
      };
}
