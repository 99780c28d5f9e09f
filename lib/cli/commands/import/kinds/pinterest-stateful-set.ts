import { importedNativeKinds } from './native-kinds';
import { valueAt } from '../../../../api';
import { claimsOf } from '../claims';
import { disruptionOf } from '../disruption';
import { isHeadless, servicesOf } from '../belonging';
import { durationUnless, entriesAt, fieldsAt, fieldIfSet, numberAt, textAt, type Fields } from '../fields';
import { noteAdder, type KindSource, relatedObjectsOf, importedTemplate } from '../kind-source';
import { loadBalancerOf } from '../load-balancer';
import { usesOfService } from '../old-names';
import { type RelatedObjects } from '../related-objects';
import { type KindImport } from './kind-import';
import { historyOf } from '../revision-history';
import { portOf } from '../service-port';

/** Import of a StatefulSet. */
export const statefulSetImport: KindImport = {
  nativeKind: importedNativeKinds.PinterestStatefulSet,
  shortName: 'sts',
  specOf: specOfStatefulSet,
  replacePods: ({ orphan, oldPods, namespace }) => [
    `It keeps its volumes only under this name: ${orphan}; apply this file; then delete the old pods one by one (kubectl get pods${namespace} -l '${oldPods}'): each is recreated with its volumes.`,
  ],
};

function specOfStatefulSet(source: KindSource): Fields {
  const { object, name } = source;
  const spec = fieldsAt(object, 'spec');
  const note = noteAdder(source);
  const related = relatedObjectsOf(source);
  const imported = importedTemplate(source, { grace: 60 });
  const { claims, template } = claimsOf(object, imported.template, note);
  const retention = fieldsAt(spec, 'persistentVolumeClaimRetentionPolicy');
  const start = numberAt(spec, 'ordinals', 'start');
  const governing = textAt(spec, 'serviceName');
  if (governing !== undefined && governing !== '' && governing !== `${name}-members`)
    note('serviceName', newMemberNames(governing, related));
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
    ...membersOf(related),
    ...loadBalancerOf(related),
    ...disruptionOf(related),
    ...imported.fields,
    template,
  };
}

/** Returns the effect of the new headless Service on the names of members, and where the old names are. */
function newMemberNames(governing: string, related: RelatedObjects): string {
  const { name, object } = related;
  const effect = `members are resolved under ${name}-members instead of ${governing}; their DNS names in the cluster change from ${object.metadata.name}-0.${governing} to ${name}-0.${name}-members`;
  const uses = usesOfService(governing, related);
  return uses.length === 0
    ? `${effect}; change clients that use them`
    : `${effect}; change the old name in ${uses.join(', ')}`;
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

/** Returns the ports between members: those of the headless Service. */
function membersOf(related: RelatedObjects): Fields {
  const services = servicesOf(related);
  const headless = services.find(isHeadless);
  if (!headless) return {};
  const otherPorts = new Set(
    services
      .filter((object) => object !== headless)
      .flatMap((object) => entriesAt(object, 'spec', 'ports').map(({ port }) => port)),
  );
  const ports = entriesAt(headless, 'spec', 'ports').filter(({ port }) => !otherPorts.has(port));
  return {
    ...fieldIfSet(
      'ports',
      ports.map((port) => portOf(port)),
    ),
    ...(valueAt(headless, ['spec', 'publishNotReadyAddresses']) === true && { publishNotReadyAddresses: true }),
  };
}
