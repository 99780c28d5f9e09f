import { importedNativeKinds } from './native-kinds';
import { claimsOf } from '../claims';
import { disruptionOf } from '../disruption';
import { durationUnless, fieldsAt, fieldIfSet, numberAt, textAt, type Fields } from '../fields';
import { noteAdder, type KindSource, relatedObjectsOf, importedTemplate } from '../kind-source';
import { memberServicesOf } from '../members-service';
import { type KindImport } from './kind-import';
import { historyOf } from '../revision-history';

const takeOver =
  ' The new StatefulSet takes over the labelled pods and replaces them one by one, each with its volumes.';

/** Import of a StatefulSet. */
export const statefulSetImport: KindImport = {
  nativeKind: importedNativeKinds.PinterestStatefulSet[0],
  shortName: 'sts',
  specOf: specOfStatefulSet,
  replacePods: ({ orphan, oldPods, namespace, newLabels }) => [
    `It keeps its volumes only under this name. First add pinion's labels to the old pods, so that the adopted Services still resolve them: kubectl label pods${namespace} -l '${oldPods}' ${newLabels}`,
    `Then: ${orphan}; apply this file.${takeOver}`,
  ],
  commonParts: [takeOver],
};

function specOfStatefulSet(source: KindSource): Fields {
  const { object } = source;
  const spec = fieldsAt(object, 'spec');
  const note = noteAdder(source);
  const related = relatedObjectsOf(source);
  const imported = importedTemplate(source, { grace: 60 });
  const { claims, template } = claimsOf(object, imported.template, note);
  const retention = fieldsAt(spec, 'persistentVolumeClaimRetentionPolicy');
  const start = numberAt(spec, 'ordinals', 'start');
  return {
    ...fieldIfSet('replicas', spec['replicas']),
    ...fieldIfSet('volumeClaimTemplates', claims),
    ...fieldIfSet('persistentVolumeClaimRetentionPolicy', {
      ...(retention['whenDeleted'] === 'Delete' && { whenDeleted: 'Delete' }),
      ...(retention['whenScaled'] === 'Delete' && { whenScaled: 'Delete' }),
    }),
    ...(start !== undefined && start > 0 && { ordinals: { start } }),
    ...(spec['podManagementPolicy'] === 'Parallel' && { podManagementPolicy: 'Parallel' }),
    ...fieldIfSet('update', updateOf(spec)),
    ...memberServicesOf(related),
    ...disruptionOf(related),
    ...imported.fields,
    template,
  };
}

function updateOf(spec: Fields): Fields {
  const rolling = fieldsAt(spec, 'updateStrategy', 'rollingUpdate');
  return {
    ...(textAt(spec, 'updateStrategy', 'type') === 'OnDelete' && { strategy: 'OnDelete' }),
    ...(rolling['partition'] !== 0 && fieldIfSet('partition', rolling['partition'])),
    ...fieldIfSet('maxUnavailable', rolling['maxUnavailable']),
    ...durationUnless('minReady', numberAt(spec, 'minReadySeconds'), 0),
    ...historyOf(spec),
  };
}
