import { importedNativeKinds } from './native-kinds';
import { servicesOf } from '../belonging';
import { durationUnless, entriesAt, fieldsAt, fieldIfSet, isSame, numberAt, textAt, type Fields } from '../fields';
import { hostOf } from '../host';
import { noteAdder, type KindSource, relatedObjectsOf, importedTemplate } from '../kind-source';
import { type KindImport } from './kind-import';
import { historyOf } from '../revision-history';
import { portOf } from '../service-port';

/** Pod fields that a PinterestDaemon has itself. */
const daemonFields = ['hostNetwork', 'hostPID', 'hostIPC', 'tolerations'];

const twoPods =
  ' Until then, two pods run on each node: if they would share host ports or files, delete the old ones first.';

/** Import of a DaemonSet. */
export const daemonImport: KindImport = {
  nativeKind: importedNativeKinds.PinterestDaemon[0],
  shortName: 'ds',
  specOf: specOfDaemonSet,
  replacePods: ({ orphan, oldPods, namespace }) => [
    `${orphan}; apply this file; then delete the old pods node by node (kubectl get pods${namespace} -l '${oldPods}').${twoPods}`,
  ],
  commonParts: [twoPods],
};

function specOfDaemonSet(source: KindSource): Fields {
  const { object, cluster } = source;
  const spec = fieldsAt(object, 'spec');
  const pod = fieldsAt(spec, 'template', 'spec');
  const critical = pod['priorityClassName'] === 'system-node-critical';
  const imported = importedTemplate(source, {
    supportedPodFields: critical ? [...daemonFields, 'priorityClassName'] : daemonFields,
  });
  const { placement, ...fields } = imported.fields;
  const pool = textAt(placement, 'pool');
  const { host, template } = hostOf(pod, imported.template, noteAdder(source));
  const tolerations = entriesAt(pod, 'tolerations');
  const tolerateAll = tolerations.some(
    ({ key, operator, effect }) => key === undefined && operator === 'Exists' && effect === undefined,
  );
  const poolTolerations = cluster.platform.spec.pools.find(({ name }) => name === pool)?.tolerations ?? [];
  const rest = tolerations.filter(
    (toleration) => !poolTolerations.some((poolToleration) => isSame(poolToleration, toleration)),
  );
  return {
    ...(pool !== undefined && { pools: [pool] }),
    ...(!tolerateAll && { tolerateAll: false, ...fieldIfSet('tolerations', rest) }),
    ...(critical && { critical: true }),
    ...fieldIfSet('update', updateOf(spec)),
    ...fieldIfSet('host', host),
    ...fieldIfSet(
      'ports',
      servicesOf(relatedObjectsOf(source))
        .slice(0, 1)
        .flatMap((service) => entriesAt(service, 'spec', 'ports').map((port) => portOf(port))),
    ),
    ...fields,
    ...fieldIfSet(
      'placement',
      Object.fromEntries(Object.entries(fieldsAt(placement)).filter(([key]) => key !== 'pool')),
    ),
    template,
  };
}

function updateOf(spec: Fields): Fields {
  const rolling = fieldsAt(spec, 'updateStrategy', 'rollingUpdate');
  const [maxUnavailable, surge] = [rolling['maxUnavailable'], rolling['maxSurge']];
  const surges = surge !== undefined && surge !== 0 && surge !== '0%';
  return {
    ...(textAt(spec, 'updateStrategy', 'type') === 'OnDelete' && { strategy: 'OnDelete' }),
    ...(surges ? { maxSurge: surge } : maxUnavailable !== 1 ? fieldIfSet('maxUnavailable', maxUnavailable) : {}),
    ...durationUnless('minReady', numberAt(spec, 'minReadySeconds'), 0),
    ...historyOf(spec),
  };
}
