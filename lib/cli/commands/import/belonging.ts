import { valueAt } from '../../../api';
import { selects } from '../../../operations';
import { entriesAt, fieldsAt, labelsAt, textAt, type Fields } from './fields';
import { type NativeObject } from './native-object';
import { type RelatedObjects } from './related-objects';

/** Returns the Services that select the pods of a workload. */
export const servicesOf = ({ relatedObjects, labels }: RelatedObjects): readonly NativeObject[] =>
  relatedObjects.filter((object) => {
    const selector = labelsAt(object, 'spec', 'selector');
    return object.kind === 'Service' && Object.keys(selector).length > 0 && selects({ matchLabels: selector }, labels);
  });

/** Returns whether a Service has no address of its own. */
export const isHeadless = (service: { readonly [field: string]: unknown }): boolean =>
  valueAt(service, ['spec', 'clusterIP']) === 'None';

/** Returns the backends of an Ingress. */
export const backendsOf = (ingress: NativeObject): readonly Fields[] => [
  ...entriesAt(ingress, 'spec', 'rules').flatMap((rule) =>
    entriesAt(rule, 'http', 'paths').map((path) => fieldsAt(path, 'backend')),
  ),
  ...(valueAt(ingress, ['spec', 'defaultBackend']) === undefined ? [] : [fieldsAt(ingress, 'spec', 'defaultBackend')]),
];

/** Returns the Ingresses that route to a Service. */
export const ingressesTo = (service: string, { relatedObjects }: RelatedObjects): readonly NativeObject[] =>
  relatedObjects.filter(
    (object) =>
      object.kind === 'Ingress' && backendsOf(object).some((backend) => textAt(backend, 'service', 'name') === service),
  );

/** Returns the autoscalers of a workload. */
export const autoscalersOf = ({ object, relatedObjects }: RelatedObjects): readonly NativeObject[] =>
  relatedObjects.filter(
    (scaler) =>
      scaler.kind === 'HorizontalPodAutoscaler' &&
      textAt(scaler, 'spec', 'scaleTargetRef', 'kind') === object.kind &&
      textAt(scaler, 'spec', 'scaleTargetRef', 'name') === object.metadata.name,
  );

/** Returns the budgets that select the pods of a workload. */
export const budgetsOf = ({ relatedObjects, labels }: RelatedObjects): readonly NativeObject[] =>
  relatedObjects.filter(
    (object) => object.kind === 'PodDisruptionBudget' && selects(valueAt(object, ['spec', 'selector']), labels),
  );

/** Returns the objects with that of a name first, which an import prefers. */
export const preferring = (name: string, objects: readonly NativeObject[]): readonly NativeObject[] => [
  ...objects.filter(({ metadata }) => metadata.name === name),
  ...objects.filter(({ metadata }) => metadata.name !== name),
];
