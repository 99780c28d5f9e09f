import { metadataKeys, valueAt, type WorkloadKind } from '../../../api';
import { labelOf } from '../../../expand';
import { fieldsAt, isSame, labelsAt } from './fields';
import { type NativeObject } from './native-object';

/** Whether and how pinion can adopt the workload, in sentences. */
export interface Adoption {
  /** Whether the custom resource says `adopt: true`. */
  readonly adopt: boolean;
  /** Whether the pods keep running when the resource is applied. */
  readonly inPlace: boolean;
  readonly sentences: readonly string[];
}

/** What becomes of a native workload, its name and its pods, when the custom resource is applied. */
export function adoptionOf(object: NativeObject, kind: WorkloadKind, name: string): Adoption {
  const { kind: native, metadata } = object;
  const place = metadata.namespace === undefined ? '' : ` -n ${metadata.namespace}`;
  const it = `${native.toLowerCase()}/${metadata.name}`;
  if (name !== metadata.name) return besideIt(object, name, `kubectl delete ${it}${place}`);
  if (native === 'CronJob')
    return {
      adopt: true,
      inPlace: true,
      sentences: ['CronJob and name stay. Runs that are under way end as they are; the next run is made by pinion.'],
    };
  if (hasOurSelector(object, kind, name))
    return {
      adopt: true,
      inPlace: true,
      sentences: [
        `${native} and name stay, and its selector is pinion's own already: pods are replaced only if this changes them.`,
      ],
    };
  return endsPods(object, it, place);
}

const besideIt = ({ kind, metadata }: NativeObject, name: string, end: string): Adoption => ({
  adopt: false,
  inPlace: false,
  sentences: [
    `Nothing is taken over: ${name} starts pods of its own beside ${kind} ${metadata.name}, which runs on.`,
    `Once clients have moved, end the old one: ${end}`,
  ],
});

function endsPods(object: NativeObject, it: string, place: string): Adoption {
  const { kind, metadata } = object;
  const selector = Object.entries(labelsAt(object, 'spec', 'selector', 'matchLabels')).map(
    ([key, value]) => `${key}=${value}`,
  );
  const chosen = selector.length > 0 ? selector.join(',') : 'an expression';
  const old = [...selector, `!${metadataKeys.workload}`].join(',');
  const first = `kubectl delete ${it}${place} --cascade=orphan`;
  const why = `${kind} ${metadata.name} selects its pods by ${chosen}. A selector cannot change and the pods lack pinion's labels, so that it cannot be taken over without new pods: as long as it exists, the custom resource waits and says so.`;
  return {
    adopt: true,
    inPlace: false,
    sentences: [why, ...waysOf[kind as keyof typeof waysOf]({ it, first, old, place })],
  };
}

interface Way {
  readonly it: string;
  readonly first: string;
  readonly old: string;
  readonly place: string;
}

const waysOf = {
  Deployment: ({ it, first, old, place }: Way) => [
    `Without an interruption: import it under another name (pinion import ${it}${place} --name NEW), move the clients, delete the old one.`,
    `Under this name: ${first}; apply this file; once the new pods are ready, kubectl delete replicaset${place} -l '${old}'. A Service that is taken over sends clients to new pods only, so that there are none for a moment.`,
  ],
  StatefulSet: ({ first, old, place }: Way) => [
    `Its volumes stay with it only under this name: ${first}; apply this file; then delete the old pods one by one (kubectl get pods${place} -l '${old}'): each comes back with its volumes.`,
  ],
  DaemonSet: ({ first, old, place }: Way) => [
    `${first}; apply this file; then delete the old pods node by node (kubectl get pods${place} -l '${old}'). Until then two run on each node: where they would share ports or files of the node, delete the old ones first.`,
  ],
};

/** The selector that pinion itself gives, as where the workload was deployed natively from one of its constructs. */
function hasOurSelector(object: NativeObject, kind: WorkloadKind, name: string): boolean {
  const selector = fieldsAt(object, 'spec', 'selector');
  const labels = labelsAt(selector, 'matchLabels');
  return (
    valueAt(selector, ['matchExpressions']) === undefined &&
    isSame(
      Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)),
      Object.entries({ [metadataKeys.kind]: kind, [metadataKeys.workload]: labelOf(name) }).sort(([a], [b]) =>
        a < b ? -1 : 1,
      ),
    )
  );
}
