import { currentRollout, isOpenRollout, type StoredRollout } from '../../../expand';
import { delay } from '../../../process';
import { withConnection, type ClusterConnection, type KubeconfigOptions } from '../../cluster/cluster-connection';
import { UsageError } from '../../command/usage-error';
import { type ExitCode } from '../../command/exit-codes';
import { type Io } from '../../io/io';
import { changeSelected, requireOpen, type RolloutChange } from './change-rollout';
import { readRollouts, RolloutError, selectRollout } from './read-rollouts';
import { reportRolloutErrors } from './report-rollout-errors';

interface ApproveOptions extends KubeconfigOptions {
  /** Milliseconds. @default - no wait */
  readonly timeout?: number;
  readonly output: string;
}

/** Milliseconds between two reads. */
const interval = 2_000;

/** Approves the rollout in progress whose impact has a digest, once the controller has computed it. */
export function approveRollout(
  { digest, name }: { readonly digest: string; readonly name?: string | undefined },
  options: ApproveOptions,
  io: Io,
): Promise<ExitCode> {
  if (!/^sha256:[0-9a-f]{64}$/.test(digest))
    throw new UsageError('DIGEST must be sha256: and 64 hexadecimal digits, as "pinion impact report" prints it');
  return reportRolloutErrors(io, () =>
    withConnection(options, io, async (connection) => {
      const rollout = await rolloutWith(digest, name, options.timeout ?? 0, connection);
      return changeSelected(rollout, approveChange(digest), options, connection, io);
    }),
  );
}

const approveChange = (digest: string): RolloutChange => ({
  done: `approved: ${digest}`,
  applies: 'open',
  patch(rollout) {
    requireOpen(rollout);
    requireImpact(rollout, digest);
    return rollout.spec.approvedImpact === digest ? undefined : { approvedImpact: digest };
  },
});

/** Returns the rollout that requires the approval of a digest. Throws a `RolloutError` if there is none until the timeout. */
async function rolloutWith(
  digest: string,
  name: string | undefined,
  timeout: number,
  connection: ClusterConnection,
): Promise<StoredRollout> {
  const { clock } = connection;
  const deadline = clock.now() + timeout;
  for (;;) {
    const rollouts = await readRollouts(connection);
    const current = name === undefined ? currentRollout(rollouts) : rollouts.find((one) => one.metadata.name === name);
    if (current && isOpenRollout(current) && current.status?.impact === digest) return current;
    if (clock.now() + interval > deadline) return selectRollout(name, connection, 'open');
    await delay(clock, interval);
  }
}

/** Throws a `RolloutError` unless the impact of a rollout has a digest. */
function requireImpact({ metadata: { name }, spec, status }: StoredRollout, digest: string): void {
  const impact = status?.impact;
  if (impact === digest) return;
  const about = `PlatformRollout ${name}`;
  if (spec.rollbackOf !== undefined) throw new RolloutError(`${about} is a rollback, which requires no approval`);
  if (spec.project !== undefined) throw new RolloutError(`${about} is of a Project, which requires no approval`);
  if (!spec.policy.requireApproval)
    throw new RolloutError(
      `${about} requires no approval; spec.rollouts.requireApproval of the Platform was false when it was created`,
    );
  if (impact === undefined)
    throw new RolloutError(
      `${about} has no digest yet; try again once the controller has computed it, or use --timeout`,
    );
  throw new RolloutError(
    `${about} has the impact ${impact}, not ${digest}; the Platform, the workloads or the version of pinion differ from those of the report; run "pinion impact report --live" again`,
  );
}
