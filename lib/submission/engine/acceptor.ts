import { createHash } from 'node:crypto';
import { isError, type PlatformDocument, type Problem } from '../../api';
import { stageRule, type Acceptance, type ArtifactStage, type SignedArtifact } from '../../artifact';
import {
  type Approval,
  type ApprovalRequest,
  type Caller,
  type Check,
  type Deployment,
  type DeployRequest,
} from '../../contract';
import { type Clock } from '../../kube';
import { Refusal } from '../refusal';
import { type Asked } from '../service';
import { type ConfigMapState } from '../state/config-map-state';
import { freshRecord, isFinal, recorded } from '../state/deployment-record';
import { laneOf, mostOpen, opened, type LedgerEntry, type ProjectLedger } from '../state/project-ledger';
import { type Target } from '../targets/target';
import { roleOf } from './access';
import { holder } from './holder';
import { reachable, type KnownArtifacts } from './known-artifacts';
import { liveDigest } from './mark';
import { promotionProblems } from './promotion-facts';
import { reservedOn } from './reservations';
import { checkTarget, type TargetVerdict } from './target-check';

/** What an acceptor leans on. */
export interface AcceptorOptions {
  readonly artifacts: KnownArtifacts;
  readonly state: ConfigMapState;
  readonly targets: ReadonlyMap<string, Target>;
  readonly clock: Clock;
  /** Hears of what went past the publishers of a protected stage. */
  readonly onBreakGlass: (deployment: Deployment, caller: Caller) => void;
}

/** A deployment that is asked for, before the ledger of its project was looked at. */
interface Candidate {
  readonly id: string;
  readonly caller: Caller;
  readonly request: string;
  readonly intent: Deployment['intent'];
  readonly artifact: SignedArtifact;
  readonly stage: ArtifactStage;
  readonly targets: readonly { readonly target: Target; readonly project: PlatformDocument<'Project'> }[];
  readonly acceptance: Acceptance;
  readonly breakGlass?: string | undefined;
}

interface Waiting {
  readonly candidate: Candidate;
  readonly settle: (outcome: Deployment | Error) => void;
}

/** What becomes of a candidate in a ledger. */
type Outcome = { readonly ledger?: ProjectLedger; readonly entry: LedgerEntry } | { readonly done: Deployment };

/** Takes deployments in: asks who may, whether it is trusted, what it means and whether there is room, and puts it into the project's order. */
export class Acceptor {
  private readonly waiting = new Map<string, Waiting[]>();
  private readonly writing = new Set<string>();

  constructor(private readonly options: AcceptorOptions) {}

  /** Says what a deployment would do; nothing is written. */
  async check(caller: Caller, request: DeployRequest): Promise<Check> {
    const candidate = await this.candidate(caller, request, 'deploy', '', '');
    return this.examined(this.options.state.ledger(candidate.artifact.content.project), candidate).check;
  }

  /** Takes a deployment in, or gives the one that the same key, or the same artifact, has already. */
  async accept(asked: Asked, request: DeployRequest, intent: Deployment['intent']): Promise<Deployment> {
    const { caller, idempotencyKey } = asked;
    const id = hash(caller.issuer, caller.subject, idempotencyKey).slice(0, 20);
    const asked_ = hash(intent, request.artifact, request.stage, request.breakGlass ?? '');
    const earlier = this.options.state.record(id);
    if (earlier) return same(earlier.request, asked_, earlier.deployment);
    const candidate = await this.candidate(caller, request, intent, id, asked_);
    const { artifact, stage, breakGlass } = candidate;
    const { project, name } = artifact.content;
    await reachable(() => this.options.artifacts.store.hold(artifact.digest, holder(project, name, stage.name)));
    const deployment = await this.queued(project, candidate);
    if (breakGlass !== undefined && deployment.id === id) this.options.onBreakGlass(deployment, caller);
    return deployment;
  }

  /** Whether a deployment that waits has its room now, beside all others that are under way. */
  async hasRoom(project: string, entry: LedgerEntry): Promise<boolean> {
    const { state, targets, artifacts } = this.options;
    const { stage } = await artifacts.stage(entry.digest, entry.stage);
    const ledger = state.ledger(project);
    return stage.targets.every((name) => {
      const target = targets.get(name);
      return target !== undefined && this.verdictOn(ledger, target, project, stage, entry.id).check.fits;
    });
  }

  /** Takes back a deployment that waits: by who asked for it, or an admin of the project. */
  async cancel(caller: Caller, deployment: Deployment): Promise<Deployment> {
    const { state, targets, clock } = this.options;
    const { id, project, requestedBy } = deployment;
    const isOwn = requestedBy.subject === caller.subject && requestedBy.issuer === caller.issuer;
    const isAdmin = deployment.targets.every(({ name }) => {
      const found = targets.get(name)?.project(project);
      return found !== undefined && roleOf(caller, found) === 'admin';
    });
    if (!isOwn && !isAdmin)
      throw new Refusal(403, {
        title: 'You may not take it back',
        detail: 'who asked for it may, and admins of the project',
      });
    const entry = state.ledger(project).open.find((one) => one.id === id);
    const before = state.record(id);
    if (!entry?.waits || (before && before.deployment.phase !== 'queued'))
      throw new Refusal(409, {
        title: 'It does not wait any more',
        detail: `it is ${deployment.phase}; deploy what should be there instead`,
      });
    const at = new Date(clock.now()).toISOString();
    const fresh = before ?? freshRecord(project, entry, undefined);
    const told = { message: `taken back by ${caller.subject}` };
    const ended = recorded(fresh, at, { phase: 'cancelled', endedAt: at }, [told]);
    await state.keep(ended, before);
    return ended.deployment;
  }

  /** Lets an artifact into a stage that asks for approval. */
  async approve(caller: Caller, { artifact: reference, stage: name }: ApprovalRequest): Promise<Approval> {
    const project = reference.split('/')[0] ?? '';
    this.visible(caller, project);
    const { artifact, stage } = await this.options.artifacts.stage(reference, name);
    const isAdmin = stage.targets.every((one) => {
      const found = this.options.targets.get(one)?.project(project);
      return found !== undefined && roleOf(caller, found) === 'admin';
    });
    if (!isAdmin)
      throw new Refusal(403, {
        title: 'You may not approve',
        detail: 'admins of the project on all clusters of the stage may',
      });
    return this.options.state.approve(project, {
      artifact: artifact.reference,
      stage: name,
      digest: artifact.digest,
      approvedBy: { subject: caller.subject, issuer: caller.issuer },
      approvedAt: new Date(this.options.clock.now()).toISOString(),
    });
  }

  private async candidate(
    caller: Caller,
    { artifact: reference, stage: stageName, breakGlass }: DeployRequest,
    intent: Deployment['intent'],
    id: string,
    request: string,
  ): Promise<Candidate> {
    const project = reference.split('/')[0] ?? '';
    this.visible(caller, project);
    const { artifact, stage } = await this.options.artifacts.stage(reference, stageName);
    const targets = this.targetsOf(caller, project, stage);
    const acceptance = await this.trusted(caller, artifact, stage, targets, breakGlass);
    const passed = !acceptance.accepted;
    return {
      ...{ id, caller, request, intent, artifact, stage, targets, acceptance },
      ...(passed && { breakGlass }),
    };
  }

  /** Who is no member of a project anywhere is told what is told of a project that is not there. */
  private visible(caller: Caller, project: string): void {
    for (const target of this.options.targets.values()) {
      const found = target.project(project);
      if (found && roleOf(caller, found)) return;
    }
    throw new Refusal(404, {
      title: 'There is no such project',
      detail: `${project} is no project that you are a member of`,
    });
  }

  private targetsOf(caller: Caller, project: string, stage: ArtifactStage): Candidate['targets'] {
    const problems: Problem[] = [];
    const found = stage.targets.flatMap((name) => {
      const target = this.options.targets.get(name);
      const known = target?.project(project);
      const path = ['stages', stage.name, 'targets'];
      if (!target || !known) {
        const reason = target ? `has no Project ${project}` : 'is no cluster that is served here';
        const remedy = target
          ? 'let the people of the platform apply it there'
          : `use ${[...this.options.targets.keys()].join(' or ')}`;
        problems.push({ code: 'unknown-reference', path, value: name, reason, remedy });
        return [];
      }
      const why = mayNotDeploy(caller, known, stage.name);
      if (why !== undefined) problems.push({ code: 'not-offered', path, value: name, ...why });
      return [{ target, project: known }];
    });
    if (problems.length === 0) return found;
    const rights = problems.some(({ code }) => code === 'not-offered');
    throw new Refusal(rights ? 403 : 422, {
      title: rights ? 'You may not deploy there' : 'The stage cannot be reached',
      problems,
    });
  }

  private async trusted(
    caller: Caller,
    artifact: SignedArtifact,
    stage: ArtifactStage,
    targets: Candidate['targets'],
    breakGlass: string | undefined,
  ): Promise<Acceptance> {
    const problems: Problem[] = [];
    let accepted: Acceptance | undefined;
    for (const { target, project } of targets) {
      const { rule, problems: none } = stageRule(project, stage.name);
      problems.push(...none);
      if (!rule) continue;
      const found = await this.options.artifacts.acceptance(artifact, rule);
      const mayPass = breakGlass !== undefined && caller.groups.some((group) => rule.breakGlass.includes(group));
      if (!found.accepted && !mayPass)
        problems.push(
          ...found.problems.map((problem) => ({
            ...problem,
            object: `Project ${project.metadata.name} on ${target.name}`,
          })),
        );
      if (!accepted || !found.accepted) accepted = found;
    }
    if (accepted && problems.length === 0) return accepted;
    throw new Refusal(403, { title: 'The stage does not accept this artifact', problems });
  }

  /** All that wait for the ledger of a project are written together. */
  private queued(project: string, candidate: Candidate): Promise<Deployment> {
    return new Promise((resolve, reject) => {
      const settle = (outcome: Deployment | Error): void =>
        outcome instanceof Error ? reject(outcome) : resolve(outcome);
      this.waiting.set(project, [...(this.waiting.get(project) ?? []), { candidate, settle }]);
      if (!this.writing.has(project)) void this.writeAll(project);
    });
  }

  private async writeAll(project: string): Promise<void> {
    this.writing.add(project);
    for (let batch = this.waiting.get(project); batch && batch.length > 0; batch = this.waiting.get(project)) {
      this.waiting.set(project, []);
      const waiting = batch;
      try {
        const outcomes = await this.options.state.changeLedger(project, (ledger) => this.admitAll(ledger, waiting));
        waiting.forEach(({ settle }, index) => settle(outcomes[index] ?? new Error('nothing came of it')));
      } catch (error) {
        for (const { settle } of waiting) settle(error instanceof Error ? error : new Error(String(error)));
      }
    }
    this.waiting.delete(project);
    this.writing.delete(project);
  }

  private admitAll(
    before: ProjectLedger,
    batch: readonly Waiting[],
  ): { readonly ledger?: ProjectLedger; readonly result: readonly (Deployment | Error)[] } {
    let ledger = before;
    const result = batch.map(({ candidate }) => {
      try {
        const outcome = this.admit(ledger, candidate);
        if ('done' in outcome) return outcome.done;
        ledger = outcome.ledger ?? ledger;
        return freshRecord(candidate.artifact.content.project, outcome.entry, undefined).deployment;
      } catch (error) {
        if (error instanceof Refusal) return error;
        throw error;
      }
    });
    return { ...(ledger !== before && { ledger }), result };
  }

  private admit(ledger: ProjectLedger, candidate: Candidate): Outcome {
    const { id, request, artifact, stage } = candidate;
    const twin = ledger.open.find((one) => one.id === id) ?? this.sameUnderWay(ledger, candidate);
    if (twin?.id === id && twin.request !== request) throw reused();
    if (twin) return { entry: twin };
    const standing = this.standingAlready(ledger, candidate);
    if (standing) return { done: standing };
    if (ledger.open.length >= mostOpen)
      throw new Refusal(429, { title: 'Too many deployments of the project are under way', retryAfter: 5 });
    const { check, verdicts } = this.examined(ledger, candidate);
    if (check.decision === 'refuse') throw refused(check);
    const provenance = candidate.acceptance.accepted
      ? candidate.acceptance.provenance
      : artifact.signatures[0]?.provenance;
    const made: Omit<LedgerEntry, 'sequence'> = {
      id,
      workflow: artifact.content.name,
      version: artifact.content.version,
      digest: artifact.digest,
      stage: stage.name,
      intent: candidate.intent,
      requestedBy: { subject: candidate.caller.subject, issuer: candidate.caller.issuer },
      requestedAt: new Date(this.options.clock.now()).toISOString(),
      request,
      ...(candidate.breakGlass !== undefined && { breakGlass: candidate.breakGlass }),
      ...(provenance && { commit: provenance.commit }),
      ...(provenance?.review !== undefined && { review: provenance.review }),
      waits: check.decision === 'queue',
      asks: Object.fromEntries(verdicts.map(({ check: { target }, asks }) => [target, asks])) as LedgerEntry['asks'],
    };
    const next = opened(ledger, made);
    return { ledger: next, entry: next.open.at(-1) as LedgerEntry };
  }

  /** The same artifact on its way to the same stage, with nothing behind it, is the same deployment. */
  private sameUnderWay(ledger: ProjectLedger, { artifact, stage }: Candidate): LedgerEntry | undefined {
    const { last } = laneOf(ledger, { workflow: artifact.content.name, stage: stage.name });
    return ledger.open.find((one) => one.id === last && one.digest === artifact.digest);
  }

  /** The deployment by which the artifact stands there already, all of it as it was applied. */
  private standingAlready(ledger: ProjectLedger, candidate: Candidate): Deployment | undefined {
    const { artifact, stage, targets } = candidate;
    const { ready, last } = laneOf(ledger, { workflow: artifact.content.name, stage: stage.name });
    const [newest] = ready;
    if (newest?.digest !== artifact.digest || newest.id !== last) return undefined;
    const record = this.options.state.record(newest.id);
    const stands = targets.every(({ target }) =>
      stage.resources.every(
        ({ kind, metadata }) =>
          liveDigest(target.workload(metadata.namespace, { kind, name: metadata.name })) === artifact.digest,
      ),
    );
    return stands && record && isFinal(record.deployment.phase) ? record.deployment : undefined;
  }

  private examined(
    ledger: ProjectLedger,
    candidate: Candidate,
  ): { readonly check: Check; readonly verdicts: readonly TargetVerdict[] } {
    const { artifact, stage, targets, intent } = candidate;
    const verdicts = targets.map(({ target, project }) => this.verdictOn(ledger, target, project.metadata.name, stage));
    const problems = intent === 'rollBack' ? [] : promotionProblems(this.options, artifact, stage, ledger);
    const wrong = [...problems, ...verdicts.flatMap(({ check }) => check.problems as readonly Problem[])].some(isError);
    const fits = verdicts.every(({ check }) => check.fits);
    const decision = wrong ? 'refuse' : fits ? 'accept' : whenShort(targets, verdicts);
    const check: Check = {
      artifact: artifact.reference,
      digest: artifact.digest,
      stage: stage.name,
      decision,
      problems: problems.map((problem) => ({ ...problem, path: [...problem.path] })),
      targets: verdicts.map((verdict) => verdict.check),
    };
    return { check, verdicts };
  }

  private verdictOn(
    ledger: ProjectLedger,
    target: Target,
    project: string,
    { resources }: ArtifactStage,
    besides?: string,
  ): TargetVerdict {
    const found = target.world(project);
    if ('problems' in found)
      throw new Refusal(503, {
        title: `${target.name} has no sound Platform`,
        problems: found.problems,
        retryAfter: 30,
      });
    return checkTarget({
      target: target.name,
      world: found.world,
      resources,
      live: target.workloads(project),
      reserved: reservedOn(ledger, target, project, besides),
      used: target.used(project),
      nodes: target.nodes(),
    });
  }
}

/** A project that queues waits for room, unless it asks for more than the whole quota. */
function whenShort(targets: Candidate['targets'], verdicts: readonly TargetVerdict[]): Check['decision'] {
  const waits = targets.every(({ project }) => (project.spec as { whenFull?: string }).whenFull === 'queue');
  const never = verdicts.some(({ check }) => (check as { never?: boolean }).never === true);
  return waits && !never ? 'queue' : 'refuse';
}

function mayNotDeploy(
  caller: Caller,
  project: PlatformDocument<'Project'>,
  _stage: string,
): { readonly reason: string; readonly remedy: string } | undefined {
  const role = roleOf(caller, project);
  if (role === 'edit' || role === 'admin') return undefined;
  const reason = role ? 'lets you look, not deploy' : 'does not have you as a member of the project';
  return { reason, remedy: `ask the team ${project.spec.team} for the role edit` };
}

function refused(check: Check): Refusal {
  const problems = [
    ...check.problems,
    ...check.targets.flatMap((one) => one.problems),
  ] as unknown as readonly Problem[];
  const short = check.targets.filter(({ fits }) => !fits);
  const title = problems.some(isError) ? 'The deployment would be refused' : 'The quota has no room for it';
  const detail = short
    .map(({ target, nearestFit }) => `${target}: ${nearestFit ?? 'asks for more than is left'}`)
    .join('; ');
  return new Refusal(422, { title, ...(detail !== '' && { detail }), problems, check });
}

const reused = (): Refusal =>
  new Refusal(409, {
    title: 'The idempotency key was used for another request',
    detail: 'give each deployment a key of its own; repeat a request with the key and the body that it had',
  });

function same(before: string, now: string, deployment: Deployment): Deployment {
  if (before !== now) throw reused();
  return deployment;
}

const hash = (...parts: readonly string[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex');
