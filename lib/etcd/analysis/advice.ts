import { bytesText } from '../../api';
import { type Advice, type EtcdContents, type ObjectSum, type Sum, type WriterSum } from './etcd-contents';
import { otherKeys } from '../values/registry-key';

type ContentsWithoutAdvice = Omit<EtcdContents, 'advice'>;

const percent = (part: number, whole: number): string => `${Math.round((100 * part) / whole)} %`;
const MiB = 1024 ** 2;

/** Returns advice in order of urgency. */
export function adviceOf(contents: ContentsWithoutAdvice): Advice[] {
  return [
    corruption,
    alarm,
    quota,
    largestResource,
    frequentWriter,
    compaction,
    defragmentation,
    managedFields,
    lastApplied,
    events,
  ].flatMap((rule) => rule(contents) ?? []);
}

function corruption({
  isComplete,
  damage: { count, pages, coversAll },
  total,
}: ContentsWithoutAdvice): Advice | undefined {
  if (isComplete) return undefined;
  const rest = coversAll || total.revisions === 0 ? '' : ' The rest of this report covers the readable pages.';
  const first = pages[0] ? `, the first on page ${pages[0].page}` : '';
  return {
    sentence: `The file is corrupt in ${count} ${count === 1 ? 'place' : 'places'}${first}: first take a new snapshot of a healthy member.${rest}`,
    command: 'pinion etcd snapshot backup.db',
  };
}

function alarm({ alarms }: ContentsWithoutAdvice): Advice | undefined {
  if (alarms === 0) return undefined;
  return {
    sentence: 'An alarm is active: after NOSPACE, members reject all writes until the alarm is disarmed.',
    command: 'pinion etcd recover --dry-run',
  };
}

function quota({ quota: { bytes, used, days } }: ContentsWithoutAdvice): Advice | undefined {
  if (used < 0.6 * bytes && (days === undefined || days > 30)) return undefined;
  const time =
    days === undefined
      ? ''
      : `; at the current rate ${days < 1 ? 'less than a day is' : `${Math.floor(days)} days are`} left`;
  return {
    sentence: `The database uses ${percent(used, bytes)} of its quota of ${bytesText(bytes)}${time}.`,
    command: 'pinion etcd status',
  };
}

const isRewritten = ({ revisions, objects }: Sum | WriterSum): boolean => revisions >= 3 * Math.max(1, objects);

/** Returns the last writer of a row as text. */
const writerOf = ({ lastWriter }: ObjectSum): string =>
  lastWriter === undefined ? 'managedFields do not show the writer, see the audit log' : `last writer: ${lastWriter}`;

/** Reports a resource of the cluster or of a namespace that uses a large share of all bytes. */
function largestResource({ by, total }: ContentsWithoutAdvice): Advice | undefined {
  const all = total.live + total.history;
  const [largest] = by.resourceByNamespace;
  if (!largest || all < MiB) return undefined;
  const size = largest.live + largest.history;
  if (size < 0.2 * all) return undefined;
  const isRegistry = largest.resource !== otherKeys;
  const subject = largest.namespace === '' ? '' : `In namespace ${largest.namespace}, `;
  const namespaceFlag = largest.namespace === '' ? '' : ` -n ${largest.namespace}`;
  const rewrites =
    isRewritten(largest) && isRegistry
      ? ` They are rewritten often (${largest.revisions} revisions); ${writerOf(largest)}.`
      : '';
  return {
    sentence: `${subject}${largest.resource} use ${percent(size, all)} of all bytes (${bytesText(size)} in ${largest.objects} objects, ${bytesText(largest.average)} on average).${rewrites}`,
    command: isRegistry
      ? `kubectl get ${largest.resource}${namespaceFlag} --sort-by=.metadata.creationTimestamp`
      : "etcdctl get '' --prefix --keys-only",
  };
}

/** Reports the writer, or the resource if no writer is known, that causes a large share of the history. */
function frequentWriter({ by, total }: ContentsWithoutAdvice): Advice | undefined {
  const isHeavy = (row: Sum | WriterSum): boolean =>
    total.history >= MiB / 4 && row.history >= 0.25 * total.history && isRewritten(row);
  const heaviest = <R extends Sum | WriterSum>(rows: readonly R[]): R | undefined =>
    [...rows].sort((a, b) => b.history - a.history).find(isHeavy);
  const share = ({ history, revisions, objects, writesPerSecond }: Sum | WriterSum): string => {
    const rate = writesPerSecond === undefined ? '' : `, ${writesPerSecond.toPrecision(2)} per second`;
    return `${percent(history, total.history)} of the history (${revisions} revisions of ${objects} objects${rate})`;
  };
  const writer = heaviest(by.writer);
  if (writer) {
    const subresource = writer.subresource === '' ? '' : `the ${writer.subresource} of `;
    const object = heaviest(by.object.filter(({ lastWriter }) => lastWriter === writer.name));
    const mainObject = object ? `, mostly ${object.name}` : '';
    return {
      sentence: `${writer.manager} rewrites ${subresource}${writer.kind} frequently: ${share(writer)}${mainObject}.`,
      command: `kubectl get ${writer.kind} -A --show-managed-fields -o yaml`,
    };
  }
  const resource = heaviest(by.resourceByNamespace);
  if (!resource) return undefined;
  const namespaceFlag = resource.namespace === '' ? '' : ` -n ${resource.namespace}`;
  return {
    sentence: `${resource.name} are rewritten frequently: ${share(resource)}; ${writerOf(resource)}.`,
    command: `kubectl get ${resource.resource}${namespaceFlag} --watch`,
  };
}

function compaction({ reclaimable, bytes, damage: { coversAll } }: ContentsWithoutAdvice): Advice | undefined {
  if (reclaimable.compaction < 0.3 * bytes.database || reclaimable.compaction < MiB) return undefined;
  return {
    sentence: `Compaction would free ${coversAll ? '' : 'at least '}${bytesText(reclaimable.compaction)} within the file; API servers compact every 5 minutes by default (--etcd-compaction-interval).`,
    command: 'pinion etcd compact',
  };
}

function defragmentation({ reclaimable, bytes }: ContentsWithoutAdvice): Advice | undefined {
  const { both } = reclaimable;
  if (both === undefined || both < 0.5 * bytes.database || both < 100 * MiB) return undefined;
  return {
    sentence: `After compaction, defragmentation would shrink the file by ${bytesText(both)}, ${percent(both, bytes.database)}: defragment one member at a time, the leader last.`,
    command: 'pinion etcd defrag',
  };
}

function managedFields({ total, by }: ContentsWithoutAdvice): Advice | undefined {
  if (total.live < MiB || total.managedFields < 0.25 * total.live) return undefined;
  const largest = [...by.kind].sort((a, b) => b.managedFields - a.managedFields)[0];
  return {
    sentence: `managedFields are ${percent(total.managedFields, total.live)} of live bytes, mostly in ${largest?.name ?? 'all kinds'}: use fewer field managers, and Server-Side Apply.`,
    command: `kubectl get ${kindName(largest?.name)} -A --show-managed-fields -o yaml`,
  };
}

function lastApplied({ total, by }: ContentsWithoutAdvice): Advice | undefined {
  if (total.live < MiB || total.lastApplied < 0.05 * total.live) return undefined;
  const largest = [...by.kind].sort((a, b) => b.lastApplied - a.lastApplied)[0];
  return {
    sentence: `Last-applied annotations of kubectl apply are ${percent(total.lastApplied, total.live)} of live bytes, mostly in ${largest?.name ?? 'all kinds'}: Server-Side Apply does not need them.`,
    command: 'kubectl apply --server-side -f FILE',
  };
}

function events({ by, total }: ContentsWithoutAdvice): Advice | undefined {
  const row = by.resource.find(({ name }) => name === 'events');
  const size = row ? row.live + row.history : 0;
  if (size < 0.25 * (total.live + total.history) || size < MiB) return undefined;
  return {
    sentence: `Events use ${percent(size, total.live + total.history)} of all bytes: with a separate etcd for events, an event storm cannot fill this one.`,
    command: 'kube-apiserver --etcd-servers-overrides=/events#https://EVENTS-ETCD:2379 --event-ttl=1h',
  };
}

const kindName = (name: string | undefined): string => name?.split(' ').at(-1) ?? 'KIND';
