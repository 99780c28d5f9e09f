import { UsageError } from '../../command/arguments';
import type * as ContentsFile from './contents';
import { etcdOptions, type EtcdArguments } from './etcd-options';
import type * as MaintenanceFile from './maintenance';
import type * as SnapshotFile from './snapshot';
import type * as StatusFile from './status';
import { type ExitCode } from '../../command/exit-codes';
import { type Io } from '../../io/io';
import { defineCommand } from '../../command/command';

const help = `pinion etcd analyze [options] FILE
pinion etcd diff [options] BEFORE AFTER
pinion etcd status | compact | defrag | disarm | recover [options]
pinion etcd snapshot [options] FILE

Without a server:

  analyze FILE       what an etcd database file or snapshot holds: by resource, namespace, project, kind, owner, writer and
                     object; pages and what could be given back; days to the quota; advice
  diff BEFORE AFTER  what was added, removed and grew between two files of one cluster

Files are of etcd 3.5 and 3.6: member/snap/db of a member, or what "pinion etcd snapshot" wrote. No server is asked, and
nothing is written to them. A file that an etcd writes to at the same time may look damaged: take a snapshot.

  -o, --output        text or json (all of it)
  --json FILE         writes all of it as JSON to a file
  --html FILE         the key space as a flame graph to look around in
  --svg FILE          the same as a picture
  --speedscope FILE   the same for speedscope
  --top COUNT         rows of each table (default: 10)
  --quota SIZE        what --quota-backend-bytes allows, such as 8Gi (default: 2Gi, as etcd has it)
  --no-checksum       does not verify the checksum of a snapshot

On all members of an etcd, one at a time, the leader last, each step only while all are healthy and caught up:

  status          sizes, quota, leader, alarms and health of each member
  compact         drops history up to the revision that the API server would compact to next
  defrag          returns unused space to the file system
  disarm          disarms alarms; a space alarm only if there is room again
  recover         after a space alarm: compacts, defragments, disarms
  snapshot FILE   writes the database of a member, verified by its checksum

Each shows its plan and asks for confirmation. After it was stopped or killed, run it again to continue.

  --endpoints URLS    at least one member, with commas between (default: ETCDCTL_ENDPOINTS, else 127.0.0.1:2379)
  --cacert, --cert, --key FILE
                      certificates (default: ETCDCTL_CACERT, ETCDCTL_CERT, ETCDCTL_KEY)
  --dry-run           only shows the plan
  --yes               does not ask for confirmation; required where nobody can be asked
  --revision N        compact: to this revision
  --corrupt           disarm: also disarms CORRUPT; only after you have compared the contents of all members
  --quota SIZE        quota of members of etcd 3.5, which do not report it (default: 2Gi)
  --timeout T        how long a member may take to recover after a step (default: 2m)
  --member NAME       snapshot: of this member (default: a follower that has caught up)

Exit code 1 if a file is damaged, or two are in the wrong order or not of one cluster; what could be read is still shown.
Exit code 5 if a member is not healthy, or no room is left.
`;

type Run = (words: readonly string[], given: EtcdArguments, io: Io) => Promise<ExitCode>;

const contents = (): typeof ContentsFile => module.require('./contents') as typeof ContentsFile;
const maintenance = (): typeof MaintenanceFile => module.require('./maintenance') as typeof MaintenanceFile;

/** Each word is loaded when it is called: who reads a file needs no connection. */
const words: Readonly<Record<string, () => Run>> = {
  analyze: () => contents().analyzeFile,
  diff: () => contents().compareFiles,
  status: () => (module.require('./status') as typeof StatusFile).etcdStatus,
  compact: () => maintenance().maintain('compact'),
  defrag: () => maintenance().maintain('defrag'),
  disarm: () => maintenance().maintain('disarm'),
  recover: () => maintenance().maintain('recover'),
  snapshot: () => (module.require('./snapshot') as typeof SnapshotFile).snapshot,
};

/** `pinion etcd`: what an etcd database file holds, and what is to be done with an etcd that runs out of room. */
export const etcdCommand = defineCommand({
  help,
  options: etcdOptions,
  subcommands: Object.keys(words),
  async run(given, io) {
    const [word, ...rest] = given.positionals;
    const run = word !== undefined && Object.hasOwn(words, word) ? words[word] : undefined;
    if (!run) {
      const known = Object.keys(words).join(', ');
      throw new UsageError(`etcd needs a word: ${known}${word === undefined ? '' : `, not ${word}`}`);
    }
    return run()(rest, given, io);
  },
});
