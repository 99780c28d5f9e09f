import { entriesAt, fieldsAt, numberAt, textAt, type Fields } from '../fields';
import { type NativeObject } from '../native-object';
import { type Note } from '../note';

/** Returns notes on the targets of an autoscaler that now also measure the containers that the platform adds to the pods. */
export function measuredContainers(
  scaler: NativeObject,
  workload: NativeObject,
  generated: NativeObject | undefined,
): readonly Note[] {
  const own = namesOf(fieldsAt(workload, 'spec', 'template', 'spec'));
  const added = namesOf(fieldsAt(generated, 'spec', 'template', 'spec')).filter((name) => !own.includes(name));
  const [first] = own;
  if (added.length === 0 || first === undefined) return [];
  return targetsOf(scaler).map(({ path, name, percent }) => ({
    subject: `HorizontalPodAutoscaler ${scaler.metadata.name}: ${path}`,
    message: `${name} at ${percent} percent of requests now also measures the containers that the platform adds (${added.join(', ')}); set autoscaling.container to ${first} to measure only that one`,
  }));
}

/** Returns the names of the containers that run as long as the pod. */
const namesOf = (pod: Fields): readonly string[] =>
  [
    ...entriesAt(pod, 'containers'),
    ...entriesAt(pod, 'initContainers').filter(({ restartPolicy }) => restartPolicy === 'Always'),
  ].map(({ name }) => String(name));

/** Returns the targets in percent of the requests of all containers. */
function targetsOf(scaler: NativeObject) {
  const metrics = entriesAt(scaler, 'spec', 'metrics').flatMap(({ type, resource }, index) => {
    const percent = numberAt(resource, 'target', 'averageUtilization');
    const name = textAt(resource, 'name') ?? '';
    return type === 'Resource' && percent !== undefined ? [{ path: `spec.metrics[${index}]`, name, percent }] : [];
  });
  const cpu = numberAt(scaler, 'spec', 'targetCPUUtilizationPercentage');
  if (cpu !== undefined) return [{ path: 'spec.targetCPUUtilizationPercentage', name: 'cpu', percent: cpu }];
  return metrics.length > 0 || entriesAt(scaler, 'spec', 'metrics').length > 0
    ? metrics
    : [{ path: 'spec.metrics', name: 'cpu', percent: 80 }];
}
