import { importedNativeKinds } from './native-kinds';
import { autoscalingOf } from '../autoscaling';
import { disruptionOf } from '../disruption';
import { durationUnless, fieldsAt, fieldIfSet, numberAt, textAt, type Fields } from '../fields';
import { type KindSource, relatedObjectsOf, importedTemplate } from '../kind-source';
import { loadBalancerOf } from '../load-balancer';
import { type KindImport } from './kind-import';
import { historyOf } from '../revision-history';

const withoutEndpoints = ' An adopted Service routes only to new pods, so it briefly has no endpoints.';

/** Import of a Deployment. */
export const serviceImport: KindImport = {
  nativeKind: importedNativeKinds.PinterestService[0],
  shortName: 'deploy',
  specOf: specOfDeployment,
  replacePods: ({ object, orphan, oldPods, namespace }) => [
    `Without an interruption: import it under another name (pinion import ${object}${namespace} --name NEW), move the clients, delete the old one.`,
    `Under this name: ${orphan}; apply this file; once the new pods are ready, kubectl delete replicaset${namespace} -l '${oldPods}'.${withoutEndpoints}`,
  ],
  commonParts: [withoutEndpoints],
};

function specOfDeployment(source: KindSource): Fields {
  const spec = fieldsAt(source.object, 'spec');
  const { template, fields } = importedTemplate(source);
  const related = relatedObjectsOf(source);
  return {
    ...(autoscalingOf(related) ?? fieldIfSet('replicas', spec['replicas'])),
    ...loadBalancerOf(related),
    ...fieldIfSet('rollout', rolloutOf(spec)),
    ...disruptionOf(related),
    ...fields,
    template,
  };
}

/** Returns the rollout fields that differ from the defaults of pinion. */
function rolloutOf(spec: Fields): Fields {
  const rolling = fieldsAt(spec, 'strategy', 'rollingUpdate');
  const surge = rolling['maxSurge'];
  const maxUnavailable = rolling['maxUnavailable'];
  return {
    ...(textAt(spec, 'strategy', 'type') === 'Recreate' && { strategy: 'Recreate' }),
    ...(surge !== '25%' && fieldIfSet('maxSurge', surge)),
    ...(maxUnavailable !== 0 && fieldIfSet('maxUnavailable', maxUnavailable)),
    ...durationUnless('minReady', numberAt(spec, 'minReadySeconds'), 0),
    ...durationUnless('progressDeadline', numberAt(spec, 'progressDeadlineSeconds'), 600),
    ...historyOf(spec),
    ...(spec['paused'] === true && { paused: true }),
  };
}
