import { type LiveObject, type Resource, SharedInformer } from '../../lib/kube';
import { realClock } from '../../test/kube/real-clock';
import { type BenchCluster } from './bench-cluster';
import { printLine } from './progress';

/** Records which JobSets of a namespace are complete by their status, and when the last one completed. */
export function watchComplete(bench: BenchCluster, resource: Resource, namespace: string, condition: string) {
  const done = new Set<string>();
  let last = 0;
  const onChange = (isComplete: boolean, key: string): void => {
    if (!isComplete || done.has(key)) return;
    done.add(key);
    last = performance.now();
  };
  const informer = new SharedInformer<boolean>({
    client: bench.admin,
    clock: realClock,
    resource,
    selection: { namespace },
    transform: (object) => isConditionTrue(object, condition),
    onError: (error) => printLine(String(error)),
  });
  informer.addEventHandler({ onAdd: onChange, onUpdate: (_, now, key) => onChange(now, key) });
  informer.start();
  return { informer, done, last: () => last };
}

function isConditionTrue(object: LiveObject, type: string): boolean {
  const status = object['status'] as { readonly conditions?: readonly { type: string; status: string }[] } | undefined;
  const isTrue = (expected: string): boolean =>
    status?.conditions?.some((each) => each.type === expected && each.status === 'True') === true;
  if (isTrue('Failed')) throw new Error(`${object.kind} ${object.metadata.name} failed`);
  return isTrue(type);
}
