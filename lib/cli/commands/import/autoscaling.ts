import { valueAt } from '../../../api';
import { autoscalersOf, preferring } from './belonging';
import { behaviorOf } from './autoscaling-behavior';
import { entriesAt, fieldsAt, fieldIfSet, labelsAt, numberAt, textAt, type Fields } from './fields';
import { type NativeObject } from './native-object';
import { type RelatedObjects } from './related-objects';

/** Converts the autoscaler of a workload; undefined if it has none. */
export function autoscalingOf(source: RelatedObjects): Fields | undefined {
  const scaler = preferring(source.name, autoscalersOf(source))[0];
  if (!scaler) return undefined;
  if (scaler.metadata.name !== source.name)
    source.note(
      scaler,
      'metadata.name',
      `the new one is named ${source.name}; delete this one first: two autoscalers would conflict over the number of replicas`,
    );
  const minReplicas = numberAt(scaler, 'spec', 'minReplicas');
  return {
    autoscaling: {
      ...(minReplicas !== undefined && minReplicas !== 1 && { minReplicas }),
      maxReplicas: numberAt(scaler, 'spec', 'maxReplicas'),
      ...metricsOf(scaler, source),
      ...behaviorOf(scaler, source),
    },
  };
}

function metricsOf(scaler: NativeObject, { note }: RelatedObjects): Fields {
  const fields: Record<string, unknown> = {};
  const custom: Fields[] = [];
  const percentage = numberAt(scaler, 'spec', 'targetCPUUtilizationPercentage');
  if (percentage !== undefined) fields['cpu'] = percentage;
  entriesAt(scaler, 'spec', 'metrics').forEach((metric, index) => {
    const body = fieldsAt(metric, metricFields[String(metric['type'])] ?? '');
    const utilization = numberAt(body, 'target', 'averageUtilization');
    const average = valueAt(body, ['target', 'averageValue']);
    const name = textAt(body, 'name');
    if ((name === 'cpu' || name === 'memory') && utilization !== undefined) {
      fields[name] = utilization;
      if (textAt(body, 'container') !== undefined) fields['container'] = textAt(body, 'container');
    } else if (textAt(body, 'metric', 'name') !== undefined && average !== undefined && metric['type'] !== 'Object') {
      custom.push({
        metric: textAt(body, 'metric', 'name'),
        source: metric['type'] === 'Pods' ? 'Pods' : 'External',
        average,
        ...fieldIfSet('selector', labelsAt(body, 'metric', 'selector', 'matchLabels')),
      });
    } else
      note(
        scaler,
        `spec.metrics[${index}]`,
        'has no counterpart; use CPU or memory in percent, or an average per pod under autoscaling.custom',
      );
  });
  // A CPU target of 80 % is the default if there are no metrics.
  const isDefault = fields['cpu'] === 80 && Object.keys(fields).length === 1 && custom.length === 0;
  return { ...(isDefault ? {} : fields), ...fieldIfSet('custom', custom) };
}

const metricFields: Readonly<Record<string, string>> = {
  Resource: 'resource',
  ContainerResource: 'containerResource',
  Pods: 'pods',
  External: 'external',
};
