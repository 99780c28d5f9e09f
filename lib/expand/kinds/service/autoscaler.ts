import { metadataKeys, type Spec } from '../../../api';
import { draftObject, type KubernetesObject } from '../../objects/kubernetes-object';
import { secondsOf } from '../../objects/seconds';
import { type ServiceDeployment } from './variants';

type Autoscaling = NonNullable<Spec<'PinterestService'>['autoscaling']>;

/** Creates the HorizontalPodAutoscaler of a Deployment; none if the number of replicas is fixed. */
export function autoscaler(deployment: ServiceDeployment): KubernetesObject[] {
  const { name, objectLabels } = deployment;
  const { autoscaling } = deployment.workload.spec;
  if (!autoscaling) return [];
  const spec = {
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
    minReplicas: autoscaling.minReplicas,
    maxReplicas: autoscaling.maxReplicas,
    metrics: [
      ...resourceMetrics(autoscaling),
      ...customMetrics(autoscaling),
      ...scheduledMetrics(deployment, autoscaling),
    ],
    behavior: behaviorOf(autoscaling),
  };
  const annotations = autoscaling.scheduled && { [metadataKeys.windows]: JSON.stringify(autoscaling.scheduled) };
  return [draftObject('HorizontalPodAutoscaler', { name, labels: objectLabels, annotations }, { spec })];
}

function resourceMetrics({ cpu, memory, container, custom, scheduled }: Autoscaling) {
  const hasNoMetric = cpu === undefined && memory === undefined && !custom && !scheduled;
  const utilizationTargets = [
    ['cpu', cpu ?? (hasNoMetric ? 80 : undefined)],
    ['memory', memory],
  ] as const;
  return utilizationTargets.flatMap(([name, averageUtilization]) => {
    if (averageUtilization === undefined) return [];
    const target = { type: 'Utilization', averageUtilization };
    return [
      container === undefined
        ? { type: 'Resource', resource: { name, target } }
        : { type: 'ContainerResource', containerResource: { container, name, target } },
    ];
  });
}

const customMetrics = ({ custom }: Autoscaling) =>
  (custom ?? []).map(({ metric, source, average, selector }) => {
    const body = {
      metric: { name: metric, ...(selector && { selector: { matchLabels: selector } }) },
      target: { type: 'AverageValue', averageValue: average },
    };
    return source === 'Pods' ? { type: 'Pods', pods: body } : { type: 'External', external: body };
  });

/** Returns the external metrics of scheduled windows; the Platform's adapter serves the minimum replicas of each window. */
const scheduledMetrics = ({ workload, name }: ServiceDeployment, { scheduled }: Autoscaling) =>
  (scheduled ?? []).map((window) => ({
    type: 'External',
    external: {
      metric: {
        name: 'pinion_scheduled_replicas',
        selector: {
          matchLabels: {
            namespace: workload.metadata.namespace,
            workload: name,
            window: window.name,
          },
        },
      },
      target: { type: 'AverageValue', averageValue: '1' },
    },
  }));

function behaviorOf({ scaleDown, scaleUp }: Autoscaling) {
  return {
    scaleUp: {
      stabilizationWindowSeconds: secondsOf(scaleUp.stabilization),
      selectPolicy: 'Max',
      policies: [
        { type: 'Percent', value: scaleUp.percentPerMinute, periodSeconds: 60 },
        { type: 'Pods', value: 4, periodSeconds: 60 },
      ],
    },
    scaleDown: scaleDown.disabled
      ? { selectPolicy: 'Disabled' }
      : {
          stabilizationWindowSeconds: secondsOf(scaleDown.stabilization),
          selectPolicy: 'Max',
          policies: [{ type: 'Percent', value: scaleDown.percentPerMinute, periodSeconds: 60 }],
        },
  };
}
