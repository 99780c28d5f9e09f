import { valueAt } from '../../../api';
import { entriesAt, fieldsAt, fieldIfSet, labelsAt, numberAt, textAt, durationOf, type Fields } from './fields';
import { type NativeObject } from './native-object';
import { type RelatedObjects } from './related-objects';

/** Returns the autoscaler of a workload; undefined if its number of pods is fixed. */
const autoscalerOf = ({ object, around }: RelatedObjects): NativeObject | undefined =>
  around.find(
    (scaler) =>
      scaler.kind === 'HorizontalPodAutoscaler' &&
      textAt(scaler, 'spec', 'scaleTargetRef', 'kind') === object.kind &&
      textAt(scaler, 'spec', 'scaleTargetRef', 'name') === object.metadata.name,
  );

/** Converts the autoscaler of a workload; undefined if it has none. */
export function autoscalingOf(source: RelatedObjects): Fields | undefined {
  const scaler = autoscalerOf(source);
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
      ...behaviourOf(scaler, source),
    },
  };
}

function metricsOf(scaler: NativeObject, { note }: RelatedObjects): Fields {
  const fields: Record<string, unknown> = {};
  const custom: Fields[] = [];
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
  // A target of 80 % is what stands in where there is none.
  const onlyUsual = fields['cpu'] === 80 && Object.keys(fields).length === 1 && custom.length === 0;
  return { ...(onlyUsual ? {} : fields), ...fieldIfSet('custom', custom) };
}

const metricFields: Readonly<Record<string, string>> = {
  Resource: 'resource',
  ContainerResource: 'containerResource',
  Pods: 'pods',
  External: 'external',
};

function behaviourOf(scaler: NativeObject, { note }: RelatedObjects): Fields {
  return Object.fromEntries(
    (['scaleUp', 'scaleDown'] as const).flatMap((way): (readonly [string, Fields])[] => {
      const behaviour = fieldsAt(scaler, 'spec', 'behavior', way);
      const usual = way === 'scaleUp' ? 0 : 300;
      const seconds = numberAt(behaviour, 'stabilizationWindowSeconds');
      if (behaviour['selectPolicy'] === 'Disabled') {
        if (way === 'scaleDown') return [[way, { disabled: true }]];
        note(
          scaler,
          `spec.behavior.${way}.selectPolicy`,
          'no counterpart for an autoscaler that adds no pods; set replicas instead',
        );
        return [];
      }
      const percent = entriesAt(behaviour, 'policies').find(
        ({ type, periodSeconds }) => type === 'Percent' && periodSeconds === 60,
      );
      const others = entriesAt(behaviour, 'policies').filter(
        (policy) => policy !== percent && !isAlwaysThere(policy, way),
      );
      if (others.length > 0)
        note(
          scaler,
          `spec.behavior.${way}.policies`,
          `only a percentage per minute has a counterpart; set autoscaling.${way}.percentPerMinute`,
        );
      const value = numberAt(percent, 'value');
      const fields = {
        ...(seconds !== undefined && seconds !== usual && { stabilization: durationOf(seconds) }),
        ...(value !== undefined && value !== 100 && { percentPerMinute: value }),
      };
      return Object.keys(fields).length > 0 ? [[way, fields]] : [];
    }),
  );
}

/** Policies that the API server, or the expansion itself, sets. */
const isAlwaysThere = ({ type, value, periodSeconds }: Fields, way: 'scaleUp' | 'scaleDown'): boolean =>
  (type === 'Percent' && value === 100 && periodSeconds === 15) ||
  (way === 'scaleUp' && type === 'Pods' && value === 4);
