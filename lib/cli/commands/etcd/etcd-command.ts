import { type EtcdGoal } from '../../../operations';
import { defineCommand, type CommandEntry, type CommandGroup } from '../../command/command';
import { type OptionSpecs } from '../../command/command-spec';
import { textOutput } from '../../command/output-options';
import type * as ContentsFile from './contents';
import { etcdConnectionOptions, etcdFileOptions, etcdMaintenanceOptions } from './etcd-options';
import type * as MaintenanceFile from './maintenance';
import type * as SnapshotFile from './snapshot';
import type * as StatusFile from './status';

// Loaded when they run, because reading a file does not require the etcd client.
const contents = (): typeof ContentsFile => module.require('./contents') as typeof ContentsFile;
const maintenance = (): typeof MaintenanceFile => module.require('./maintenance') as typeof MaintenanceFile;
const snapshot = (): typeof SnapshotFile => module.require('./snapshot') as typeof SnapshotFile;
const status = (): typeof StatusFile => module.require('./status') as typeof StatusFile;

const writtenFileNote = `A file that etcd is writing to may look damaged; take a snapshot instead.`;

const fileNote = `The file is member/snap/db of an etcd 3.5 or 3.6 member, or written by "pinion etcd snapshot". It is not modified, and no server is needed. ${writtenFileNote}`;

const filesNote = `Each file is member/snap/db of an etcd 3.5 or 3.6 member, or written by "pinion etcd snapshot". They are not modified, and no server is needed. ${writtenFileNote}`;

const maintenanceNote = `Members are processed one at a time, the leader last, and each step is taken only while all members are healthy and have caught up. The command shows its plan and asks for confirmation. If it is stopped or killed, run it again to continue.`;

const maintenanceEntry = (goal: EtcdGoal, summary: string, extraOptions: OptionSpecs = {}): CommandEntry => ({
  summary,
  load: () =>
    defineCommand({
      description: maintenanceNote,
      options: { ...extraOptions, ...etcdMaintenanceOptions },
      exitCodes: { incomplete: 'a member is not healthy, or no space is left' },
      run: ({ options }, io) => maintenance().maintain(goal, options, io),
    }),
});

/** `pinion etcd`. */
export const etcdCommand: CommandGroup = {
  subcommands: {
    analyze: {
      summary: 'show what uses space in an etcd database file',
      load: () =>
        defineCommand({
          description: `Show the contents by resource, namespace, project, kind, owner, writer and object; pages and reclaimable space; days until the quota is reached; and advice.

${fileNote}`,
          arguments: { file: { valueName: 'FILE', required: true, description: 'database file or snapshot' } },
          options: etcdFileOptions,
          exitCodes: { failure: 'the file is damaged; what could be read is still shown' },
          run: ({ args, options }, io) => contents().analyzeFile(args.file, options, io),
        }),
    },
    diff: {
      summary: 'show additions, removals and growth between two files of the same cluster',
      load: () =>
        defineCommand({
          description: filesNote,
          arguments: {
            before: { valueName: 'BEFORE', required: true, description: 'earlier database file or snapshot' },
            after: { valueName: 'AFTER', required: true, description: 'later database file or snapshot' },
          },
          options: etcdFileOptions,
          exitCodes: { failure: 'a file is damaged, or the files are in the wrong order or from different clusters' },
          run: ({ args, options }, io) => contents().compareFiles(args.before, args.after, options, io),
        }),
    },
    status: {
      summary: 'show size, quota, leader, alarms and health of each member',
      load: () =>
        defineCommand({
          options: { ...etcdConnectionOptions, output: textOutput },
          exitCodes: { incomplete: 'a member is not healthy' },
          run: ({ options }, io) => status().etcdStatus(options, io),
        }),
    },
    compact: maintenanceEntry('compact', 'drop history up to the revision that the API server would compact to next', {
      revision: {
        type: 'integer',
        valueName: 'N',
        min: 1,
        max: Number.MAX_SAFE_INTEGER,
        description: 'revision to compact to',
      },
    }),
    defrag: maintenanceEntry('defrag', 'return unused space to the file system'),
    disarm: maintenanceEntry('disarm', 'disarm alarms; a NOSPACE alarm only once there is free space', {
      corrupt: {
        type: 'flag',
        description: 'also disarm CORRUPT; use it only after comparing the contents of all members',
      },
    }),
    recover: maintenanceEntry('recover', 'compact, defragment and disarm after a NOSPACE alarm'),
    snapshot: {
      summary: 'write the database of a member to a file, verified by its checksum',
      load: () =>
        defineCommand({
          arguments: { file: { valueName: 'FILE', required: true, description: 'file to write' } },
          options: {
            member: {
              type: 'string',
              valueName: 'NAME',
              description: 'member to read from',
              defaultText: 'a follower that has caught up',
            },
            ...etcdConnectionOptions,
          },
          exitCodes: { incomplete: 'a member is not healthy' },
          run: ({ args, options }, io) => snapshot().writeSnapshot(args.file, options, io),
        }),
    },
  },
};
