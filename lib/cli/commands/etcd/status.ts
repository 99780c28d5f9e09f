import { bytesText } from '../../../api';
import {
  etcdGate,
  type EtcdMember,
  type EtcdObserved,
  type EtcdPolicy,
  reclaimableBytes,
  isLeader,
} from '../../../operations';
import { exitCodes, type ExitCode } from '../../command/exit-codes';
import { type Io } from '../../io/io';
import { textTable } from '../../output/text-table';
import { etcdCluster, withUnavailableError } from './connection';
import { etcdPolicy } from './etcd-policy';
import { type EtcdConnectionOptions } from './etcd-options';

/** `pinion etcd status`: prints the state of all members. */
export async function etcdStatus(
  options: EtcdConnectionOptions & { readonly output: string },
  io: Io,
): Promise<ExitCode> {
  const policy = etcdPolicy(options);
  const observed = await withUnavailableError(() => etcdCluster(options, io).observe());
  const halt = etcdGate(observed, policy);
  const isJson = options.output === 'json';
  await io.write(isJson ? `${JSON.stringify(observed, null, 2)}\n` : statusText(observed, policy));
  if (halt) io.writeError(`${halt.reason}; ${halt.remedy}\n`);
  return halt ? exitCodes.incomplete : exitCodes.success;
}

/** Returns members and alarms as a table. */
export function statusText({ members, alarms, revision, compacted }: EtcdObserved, policy: EtcdPolicy): string {
  const newest = Math.max(0, ...members.map(({ committed }) => committed));
  const rows = members.map((member) => [
    member.name,
    member.url,
    member.version,
    roleOf(member),
    bytesText(member.size),
    bytesText(member.inUse),
    bytesText(reclaimableBytes(member)),
    quotaText(member, policy),
    String(newest - member.applied),
    alarms
      .filter((alarm) => alarm.member === member.id)
      .map(({ kind }) => kind)
      .join(' '),
    member.unhealthyReason ?? 'healthy',
  ]);
  const head = [
    'MEMBER',
    'ENDPOINT',
    'VERSION',
    'ROLE',
    'SIZE',
    'IN USE',
    'RECLAIMABLE',
    'QUOTA',
    'BEHIND',
    'ALARMS',
    'HEALTH',
  ];
  const history = compacted > 0 ? `compacted at ${compacted.toLocaleString('en-US')}` : 'never compacted';
  const space = alarms.some(({ kind }) => kind === 'NOSPACE')
    ? 'Writes are rejected because space ran out; run pinion etcd recover\n'
    : '';
  return `${textTable(head, rows)}\nrevision ${revision.toLocaleString('en-US')}, ${history}\n${space}`;
}

const roleOf = (member: EtcdMember): string =>
  member.learner ? 'learner' : member.unhealthyReason !== undefined ? '?' : isLeader(member) ? 'leader' : 'follower';

const quotaText = ({ size, quota }: EtcdMember, policy: EtcdPolicy): string =>
  `${((100 * size) / (quota ?? policy.quota)).toFixed(0)} % of ${bytesText(quota ?? policy.quota)}${quota === undefined ? '?' : ''}`;
