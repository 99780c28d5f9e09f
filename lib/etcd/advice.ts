import { bytesText } from '../api';
import { type Advice, type EtcdContents, type ObjectSum, type Sum, type WriterSum } from './contents';
import { otherKeys } from './registry-key';

type Known = Omit<EtcdContents, 'advice'>;

const percent = (part: number, whole: number): string => `${Math.round((100 * part) / whole)} %`;
const MiB = 1024 ** 2;

/** What to do, the most pressing first: one sentence each, with the command that follows. */
export function adviceOf(contents: Known): Advice[] {
  return [damage, alarm, quota, hog, rewriter, compaction, defragmentation, managedFields, lastApplied, events].flatMap(
    (one) => one(contents) ?? [],
  );
}

function damage({ isComplete, damage: { count, pages, coversAll }, total }: Known): Advice | undefined {
  if (isComplete) return undefined;
  const rest = coversAll || total.revisions === 0 ? '' : ' What else is said here is of the pages that could be read.';
  const first = pages[0] ? `, the first on page ${pages[0].page}` : '';
  return {
    sentence: `The file is damaged in ${count} ${count === 1 ? 'place' : 'places'}${first}: take a new snapshot of a sound member before anything else.${rest}`,
    command: 'pinion etcd snapshot backup.db',
  };
}

function alarm({ alarms }: Known): Advice | undefined {
  if (alarms === 0) return undefined;
  return {
    sentence: 'An alarm is raised, and a member that has run out of space refuses every write until it is disarmed.',
    command: 'pinion etcd recover --dry-run',
  };
}

function quota({ quota: { bytes, used, days } }: Known): Advice | undefined {
  if (used < 0.6 * bytes && (days === undefined || days > 30)) return undefined;
  const time =
    days === undefined
      ? ''
      : `, and at the present rate ${days < 1 ? 'less than a day is' : `${Math.floor(days)} days are`} left`;
  return {
    sentence: `The database takes ${percent(used, bytes)} of its quota of ${bytesText(bytes)}${time}.`,
    command: 'pinion etcd status',
  };
}

const isRewritten = ({ revisions, objects }: Sum | WriterSum): boolean => revisions >= 3 * Math.max(1, objects);

/** Who to ask about what is written again and again. */
const writerOf = ({ lastWriter }: ObjectSum): string =>
  lastWriter === undefined ? 'no managedFields name the writer, the audit log does' : `last writer: ${lastWriter}`;

/** One resource of one namespace, or one resource, that takes a large part of all. */
function hog({ by, total }: Known): Advice | undefined {
  const all = total.live + total.history;
  const [largest] = by.place;
  if (!largest || all < MiB) return undefined;
  const size = largest.live + largest.history;
  if (size < 0.2 * all) return undefined;
  const isRegistry = largest.resource !== otherKeys;
  const space = largest.namespace === '' ? '' : `Namespace ${largest.namespace}: its `;
  const where = largest.namespace === '' ? '' : ` -n ${largest.namespace}`;
  const often =
    isRewritten(largest) && isRegistry
      ? ` They are rewritten often, ${largest.revisions} revisions are held; ${writerOf(largest)}.`
      : '';
  return {
    sentence: `${space}${largest.resource} take ${percent(size, all)} of all bytes (${bytesText(size)} in ${largest.objects} objects, ${bytesText(largest.average)} on average).${often}`,
    command: isRegistry
      ? `kubectl get ${largest.resource}${where} --sort-by=.metadata.creationTimestamp`
      : "etcdctl get '' --prefix --keys-only",
  };
}

/** What makes a large part of what only history holds: a writer, or a place where objects do not name theirs. */
function rewriter({ by, total }: Known): Advice | undefined {
  const isHeavy = (row: Sum | WriterSum): boolean =>
    total.history >= MiB / 4 && row.history >= 0.25 * total.history && isRewritten(row);
  const most = <R extends Sum | WriterSum>(rows: readonly R[]): R | undefined =>
    [...rows].sort((a, b) => b.history - a.history).find(isHeavy);
  const told = ({ history, revisions, objects, writesPerSecond }: Sum | WriterSum): string => {
    const rate = writesPerSecond === undefined ? '' : `, ${writesPerSecond.toPrecision(2)} a second`;
    return `${percent(history, total.history)} of what only history holds (${revisions} revisions of ${objects} objects${rate})`;
  };
  const writer = most(by.writer);
  if (writer) {
    const what = writer.subresource === '' ? '' : `the ${writer.subresource} of `;
    const object = most(by.object.filter(({ lastWriter }) => lastWriter === writer.name));
    const which = object ? `, most of all ${object.name}` : '';
    return {
      sentence: `${writer.manager} rewrites ${what}${writer.kind} again and again: ${told(writer)}${which}.`,
      command: `kubectl get ${writer.kind} -A --show-managed-fields -o yaml`,
    };
  }
  const place = most(by.place);
  if (!place) return undefined;
  const where = place.namespace === '' ? '' : ` -n ${place.namespace}`;
  return {
    sentence: `Something rewrites ${place.name} again and again: ${told(place)}; ${writerOf(place)}.`,
    command: `kubectl get ${place.resource}${where} --watch`,
  };
}

function compaction({ giveBack, bytes, damage: { coversAll } }: Known): Advice | undefined {
  if (giveBack.compaction < 0.3 * bytes.database || giveBack.compaction < MiB) return undefined;
  return {
    sentence: `Compaction would free ${coversAll ? '' : 'at least '}${bytesText(giveBack.compaction)} within the file; API servers do that every 5 minutes unless --etcd-compaction-interval says otherwise.`,
    command: 'pinion etcd compact',
  };
}

function defragmentation({ giveBack, bytes }: Known): Advice | undefined {
  const { both } = giveBack;
  if (both === undefined || both < 0.5 * bytes.database || both < 100 * MiB) return undefined;
  return {
    sentence: `After compaction, defragmentation would shrink the file by ${bytesText(both)}, ${percent(both, bytes.database)} of it: one member at a time, the leader last.`,
    command: 'pinion etcd defrag',
  };
}

function managedFields({ total, by }: Known): Advice | undefined {
  if (total.live < MiB || total.managedFields < 0.25 * total.live) return undefined;
  const most = [...by.kind].sort((a, b) => b.managedFields - a.managedFields)[0];
  return {
    sentence: `managedFields are ${percent(total.managedFields, total.live)} of what is live, most of it in ${most?.name ?? 'all kinds'}: fewer field managers and Server-Side Apply by one of them make them smaller.`,
    command: `kubectl get ${kindName(most?.name)} -A --show-managed-fields -o yaml`,
  };
}

function lastApplied({ total, by }: Known): Advice | undefined {
  if (total.live < MiB || total.lastApplied < 0.05 * total.live) return undefined;
  const most = [...by.kind].sort((a, b) => b.lastApplied - a.lastApplied)[0];
  return {
    sentence: `Copies made by kubectl apply are ${percent(total.lastApplied, total.live)} of what is live, most of it in ${most?.name ?? 'all kinds'}: Server-Side Apply keeps none.`,
    command: 'kubectl apply --server-side -f FILE',
  };
}

function events({ by, total }: Known): Advice | undefined {
  const row = by.resource.find(({ name }) => name === 'events');
  const size = row ? row.live + row.history : 0;
  if (size < 0.25 * (total.live + total.history) || size < MiB) return undefined;
  return {
    sentence: `Events take ${percent(size, total.live + total.history)} of all bytes: an etcd of their own keeps a storm of them from filling this one.`,
    command: 'kube-apiserver --etcd-servers-overrides=/events#https://EVENTS-ETCD:2379 --event-ttl=1h',
  };
}

const kindName = (name: string | undefined): string => name?.split(' ').at(-1) ?? 'KIND';
