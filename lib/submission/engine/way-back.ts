import { secondsOf } from '../../expand';
import { type DeploymentRecord } from '../state/deployment-record';
import { type KnownArtifacts } from './known-artifacts';
import { type RecordKeeper } from './record-keeper';
import { markOf } from './mark';
import { applyOn, isReadyOn, pruneOn, takeAway, withTarget } from './target-hands';
import { look, type Place, type Step } from './way-forward';

/** What the way back leans on. */
export interface WayBackOptions {
  readonly keeper: RecordKeeper;
  readonly artifacts: KnownArtifacts;
}

/** Ends deployments that will not be Ready. */
export class WayBack {
  constructor(private readonly options: WayBackOptions) {}

  /** Stops: what was there before begins to come back where the stage says so, or where only a part was applied. */
  async stop(
    record: DeploymentRecord,
    { project, target, stage, mark }: Place,
    why: NonNullable<Step['stop']>,
  ): Promise<DeploymentRecord> {
    const { keeper } = this.options;
    const { cause, isBetween } = why;
    const { former, targets } = record.deployment;
    const isTouched = isBetween || targets.some(({ phase }) => phase === 'settling' || phase === 'ready');
    if (former !== undefined && isTouched && (isBetween || stage.stop.action === 'rollBack')) {
      const touched = targets.map((one) =>
        one.phase === 'waiting' && one.name !== target.name ? one : { ...one, phase: 'stopped' as const },
      );
      const message = `stops: ${cause.message}; ${former.version} comes back`;
      return keeper.keep(record, { phase: 'rollingBack', cause, targets: touched }, [{ message, cause }]);
    }
    if (isBetween) await takeAway(target, project, mark);
    const rest = isBetween
      ? 'what was created is removed again'
      : isTouched
        ? 'what was applied stays for people to look at'
        : 'nothing was changed';
    return keeper.end(record, 'held', { message: `stops: ${cause.message}; ${rest}`, cause }, { cause });
  }

  /** Brings back what was Ready before on one target, and waits for it as long as for what failed. */
  async go(record: DeploymentRecord, place: Pick<Place, 'project' | 'target'>): Promise<Step> {
    const { keeper } = this.options;
    const { project, target } = place;
    const { former, targets, cause } = record.deployment;
    const at = targets.find(({ name }) => name === target.name);
    if (!former || at?.phase === 'rolledBack' || at?.phase === 'waiting') return { record };
    const { stage } = await this.options.artifacts.stage(former.digest, record.deployment.stage);
    const mark = markOf(record.deployment, former, true);
    let next = record;
    if (at?.phase === 'stopped') {
      await applyOn(target, project, stage, mark);
      await pruneOn(target, project, stage, mark);
      const told = { target: target.name, message: `${former.version} is applied again on ${target.name}` };
      next = await keeper.keep(
        record,
        { targets: withTarget(record.deployment, target.name, { phase: 'settling' }) },
        [told],
        true,
      );
    }
    if (isReadyOn(target, project, stage, mark)) {
      const told = { target: target.name, message: `${former.version} is Ready again on ${target.name}` };
      const back = withTarget(next.deployment, target.name, { phase: 'rolledBack' });
      return { record: await keeper.keep(next, { targets: back }, [told]) };
    }
    if (keeper.settledFor(next) < secondsOf(stage.stop.after) * 1000) return { record: next, after: look };
    const message = `${former.version} is not Ready either; what was applied stays for people to look at`;
    return { record: await keeper.end(next, 'held', { target: target.name, message, ...(cause && { cause }) }) };
  }
}
