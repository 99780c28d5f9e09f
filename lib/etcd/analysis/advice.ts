import { bytesText } from '../../api';
import { type Advice, type EtcdContents, type ObjectSum, type Sum, type WriterSum } from './etcd-contents';
import { otherKeys } from '../values/registry-key';

type Known = Omit<EtcdContents, 'advice'>;

const percent = (part: number, whole: number): string => `${Math.round((100 * part) / whole)} %`;
const MiB = 1024 ** 2;

/** Returns advice, the most urgent first: one sentence each, with a command. */
export function adviceOf(contents: Known): Advice[] {
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
  ].flatMap((one) => one(contents) ?? []);
}

function corruption({ isComplete, damage: { count, pages, coversAll }, total }: Known): Advice | undefined {
  if (isComplete) return undefined;
  const rest = coversAll || total.revisions === 0 ? '' : ' The rest of this report covers the readable pages.';
  const first = pages[0] ? `, the first on page ${pages[0].page}` : '';
  return {
    sentence: `The file is corrupt in ${count} ${count === 1 ? 'place' : 'places'}${first}: take a new snapshot of a healthy member first.${rest}`,
    command: 'pinion etcd snapshot backup.db',
  };
}

function alarm({ alarms }: Known): Advice | undefined {
  if (alarms === 0) return undefined;
  return {
    sentence: 'An alarm is active: a member without space rejects every write until the alarm is disarmed.',
    command: 'pinion etcd recover --dry-run',
  };
}

function quota({ quota: { bytes, used, days } }: Known): Advice | undefined {
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

/** Names the last writer of a row. */
const writerOf = ({ lastWriter }: ObjectSum): string =>
  lastWriter === undefined ? 'managedFields do not name the writer, see the audit log' : `last writer: ${lastWriter}`;

/** Reports a resource, or a resource of one namespace, that takes a large share of all bytes. */
function largestResource({ by, total }: Known): Advice | undefined {
  const all = total.live + total.history;
  const [largest] = by.resourceByNamespace;
  if (!largest || all < MiB) return undefined;
  const size = largest.live + largest.history;
  if (size < 0.2 * all) return undefined;
  const isRegistry = largest.resource !== otherKeys;
  const space = largest.namespace === '' ? '' : `Namespace ${largest.namespace}: its `;
  const where = largest.namespace === '' ? '' : ` -n ${largest.namespace}`;
  const rewrites =
    isRewritten(largest) && isRegistry
      ? ` They are rewritten often (${largest.revisions} revisions); ${writerOf(largest)}.`
      : '';
  return {
    sentence: `${space}${largest.resource} take ${percent(size, all)} of all bytes (${bytesText(size)} in ${largest.objects} objects, ${bytesText(largest.average)} on average).${rewrites}`,
    command: isRegistry
      ? `kubectl get ${largest.resource}${where} --sort-by=.metadata.creationTimestamp`
      : "etcdctl get '' --prefix --keys-only",
  };
}

/** Reports the writer, or the resource without a known writer, that causes a large share of the history. */
function frequentWriter({ by, total }: Known): Advice | undefined {
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
    const what = writer.subresource === '' ? '' : `the ${writer.subresource} of `;
    const object = heaviest(by.object.filter(({ lastWriter }) => lastWriter === writer.name));
    const which = object ? `, mostly ${object.name}` : '';
    return {
      sentence: `${writer.manager} rewrites ${what}${writer.kind} frequently: ${share(writer)}${which}.`,
      command: `kubectl get ${writer.kind} -A --show-managed-fields -o yaml`,
    };
  }
  const place = heaviest(by.resourceByNamespace);
  if (!place) return undefined;
  const where = place.namespace === '' ? '' : ` -n ${place.namespace}`;
  return {
    sentence: `Something rewrites ${place.name} frequently: ${share(place)}; ${writerOf(place)}.`,
    command: `kubectl get ${place.resource}${where} --watch`,
  };
}

function compaction({ reclaimable: space, bytes, damage: { coversAll } }: Known): Advice | undefined {
  if (space.compaction < 0.3 * bytes.database || space.compaction < MiB) return undefined;
  return {
    sentence: `Compaction would free ${coversAll ? '' : 'at least '}${bytesText(space.compaction)} within the file; API servers compact every 5 minutes unless --etcd-compaction-interval is set.`,
    command: 'pinion etcd compact',
  };
}

function defragmentation({ reclaimable: space, bytes }: Known): Advice | undefined {
  const { both } = space;
  if (both === undefined || both < 0.5 * bytes.database || both < 100 * MiB) return undefined;
  return {
    sentence: `After compaction, defragmentation would shrink the file by ${bytesText(both)}, ${percent(both, bytes.database)}: defragment one member at a time, the leader last.`,
    command: 'pinion etcd defrag',
  };
}

function managedFields({ total, by }: Known): Advice | undefined {
  if (total.live < MiB || total.managedFields < 0.25 * total.live) return undefined;
  const largest = [...by.kind].sort((a, b) => b.managedFields - a.managedFields)[0];
  return {
    sentence: `managedFields are ${percent(total.managedFields, total.live)} of live bytes, mostly in ${largest?.name ?? 'all kinds'}: use fewer field managers, and Server-Side Apply.`,
    command: `kubectl get ${kindName(largest?.name)} -A --show-managed-fields -o yaml`,
  };
}

function lastApplied({ total, by }: Known): Advice | undefined {
  if (total.live < MiB || total.lastApplied < 0.05 * total.live) return undefined;
  const largest = [...by.kind].sort((a, b) => b.lastApplied - a.lastApplied)[0];
  return {
    sentence: `Last-applied annotations of kubectl apply are ${percent(total.lastApplied, total.live)} of live bytes, mostly in ${largest?.name ?? 'all kinds'}: Server-Side Apply needs none.`,
    command: 'kubectl apply --server-side -f FILE',
  };
}

function events({ by, total }: Known): Advice | undefined {
  const row = by.resource.find(({ name }) => name === 'events');
  const size = row ? row.live + row.history : 0;
  if (size < 0.25 * (total.live + total.history) || size < MiB) return undefined;
  return {
    sentence: `Events take ${percent(size, total.live + total.history)} of all bytes: a separate etcd for events keeps an event storm from filling this one.`,
    command: 'kube-apiserver --etcd-servers-overrides=/events#https://EVENTS-ETCD:2379 --event-ttl=1h',
  };
}

const kindName = (name: string | undefined): string => name?.split(' ').at(-1) ?? 'KIND';
