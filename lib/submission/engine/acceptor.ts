import { createHash } from 'node:crypto';
import { isError, type Problem } from '../../api';
import { type Caller, type Check, type Deployment, type DeployRequest } from '../../contract';
import { Refusal } from '../refusal';
import { type Asked } from '../service';
import { freshRecord, isFinal } from '../state/deployment-record';
import {
  aliased,
  aliasOf,
  laneOf,
  mostOpen,
  opened,
  type LedgerEntry,
  type ProjectLedger,
} from '../state/project-ledger';
import { candidateFor, projectOf, type Candidate, type CandidateSources } from './candidate';
import { examineCandidate, examineOn, type ExaminationSources } from './examination';
import { holder } from './holder';
import { reachable } from './known-artifacts';
import { isOf, liveDigest } from './mark';
import { OneAtATime } from './one-at-a-time';

/** What an acceptor leans on. */
export interface AcceptorOptions extends CandidateSources, ExaminationSources {
  /** Hears of what went past the publishers of a protected stage. */
  readonly onBreakGlass: (deployment: Deployment, caller: Caller) => void;
}

/** A candidate with the key that makes it one, and what was asked for under that. */
interface Application {
  readonly id: string;
  readonly request: string;
  readonly candidate: Candidate;
}

type Outcome = Deployment | Refusal;

/** Takes deployments in: asks who may, whether it is trusted, what it means and whether there is room, and puts it into the project's order. */
export class Acceptor {
  /** All that wait for the ledger of a project are written together. */
  private readonly writing = new OneAtATime<Application, Outcome>((project, applications) =>
    this.options.state.changeLedger(project, (ledger) => this.admitAll(ledger, applications)),
  );

  constructor(private readonly options: AcceptorOptions) {}

  /** Says what a deployment would do; nothing is written. */
  async check(caller: Caller, request: DeployRequest): Promise<Check> {
    const candidate = await candidateFor(this.options, caller, request, 'deploy');
    const ledger = this.options.state.ledger(projectOf(request.artifact));
    return examineCandidate(this.options, ledger, candidate).check;
  }

  /** Takes a deployment in, or gives the one that the same key, or the same artifact, has already. */
  async accept(
    { caller, idempotencyKey }: Asked,
    request: DeployRequest,
    intent: Deployment['intent'],
  ): Promise<Deployment> {
    const { state, artifacts, onBreakGlass } = this.options;
    const id = hashOf(caller.issuer, caller.subject, idempotencyKey).slice(0, 20);
    const said = hashOf(intent, request.artifact, request.stage, request.breakGlass ?? '');
    const earlier = state.record(id);
    if (earlier) return same(earlier.request, said, earlier.deployment);
    const candidate = await candidateFor(this.options, caller, request, intent);
    const { project, name } = candidate.artifact.content;
    const application = { id, request: said, candidate };
    // What is refused by what is known already costs the store and the ledger nothing.
    this.admit(state.ledger(project), application);
    await reachable(() => artifacts.store.hold(candidate.artifact.digest, holder(project, name, candidate.stage.name)));
    const outcome = await this.writing.do(project, application);
    if (outcome instanceof Refusal) throw outcome;
    if (candidate.breakGlass !== undefined && outcome.id === id) onBreakGlass(outcome, caller);
    return outcome;
  }

  /** Whether a deployment that waits has its room now, beside all others that are under way. */
  async hasRoom(project: string, entry: LedgerEntry): Promise<boolean> {
    const { state, targets, artifacts } = this.options;
    const { stage } = await artifacts.stage(entry.digest, entry.stage);
    const ledger = state.ledger(project);
    return stage.targets.every((name) => {
      const target = targets.get(name);
      return target !== undefined && examineOn(ledger, target, project, entry.workflow, stage, entry.id).check.fits;
    });
  }

  private admitAll(
    before: ProjectLedger,
    applications: readonly Application[],
  ): { readonly ledger?: ProjectLedger; readonly result: readonly Outcome[] } {
    let ledger = before;
    const result = applications.map((application): Outcome => {
      try {
        const admitted = this.admit(ledger, application);
        ledger = admitted.ledger;
        return admitted.deployment;
      } catch (error) {
        if (error instanceof Refusal) return error;
        throw error;
      }
    });
    return { ...(ledger !== before && { ledger }), result };
  }

  private admit(
    ledger: ProjectLedger,
    application: Application,
  ): { readonly ledger: ProjectLedger; readonly deployment: Deployment } {
    const { id, request, candidate } = application;
    const { artifact } = candidate;
    const { project } = artifact.content;
    const own = ledger.open.find((one) => one.id === id);
    if (own) return { ledger, deployment: same(own.request, request, pending(project, own)) };
    const alias = aliasOf(ledger, id);
    const meant = alias && this.deploymentOf(project, ledger, alias.deployment);
    if (meant) return { ledger, deployment: same(alias.request, request, meant) };
    const twin = this.twinOf(ledger, candidate);
    if (twin) return { ledger: aliased(ledger, { id, request, deployment: twin.id }), deployment: twin };
    if (ledger.open.length >= mostOpen)
      throw new Refusal(429, { title: 'Too many deployments of the project are under way', retryAfter: 5 });
    const next = opened(ledger, this.entryOf(application, ledger));
    return { ledger: next, deployment: pending(project, next.open.at(-1) as LedgerEntry) };
  }

  private entryOf({ id, request, candidate }: Application, ledger: ProjectLedger): Omit<LedgerEntry, 'sequence'> {
    const { artifact, stage, caller, acceptance, breakGlass, intent } = candidate;
    const { check, asks } = examineCandidate(this.options, ledger, candidate);
    if (check.decision === 'refuse') throw refused(check);
    const provenance = acceptance.accepted ? acceptance.provenance : artifact.signatures[0]?.provenance;
    return {
      id,
      request,
      intent,
      workflow: artifact.content.name,
      version: artifact.content.version,
      digest: artifact.digest,
      stage: stage.name,
      requestedBy: { subject: caller.subject, issuer: caller.issuer },
      requestedAt: new Date(this.options.clock.now()).toISOString(),
      ...(breakGlass !== undefined && { breakGlass }),
      ...(provenance && { commit: provenance.commit }),
      ...(provenance?.review !== undefined && { review: provenance.review }),
      waits: check.decision === 'queue',
      asks,
    };
  }

  /** The deployment of the same artifact to the same stage that is under way, or stands there as it was applied, with nothing after it. */
  private twinOf(ledger: ProjectLedger, candidate: Candidate): Deployment | undefined {
    const { artifact, stage } = candidate;
    const { project, name: workflow } = artifact.content;
    const { ready, last } = laneOf(ledger, { workflow, stage: stage.name });
    const open = ledger.open.find((one) => one.id === last && one.digest === artifact.digest);
    if (open) return this.deploymentOf(project, ledger, open.id);
    const [newest] = ready;
    if (newest?.digest !== artifact.digest || newest.id !== last) return undefined;
    const record = this.options.state.record(newest.id);
    if (!record || !isFinal(record.deployment.phase)) return undefined;
    return this.stands(ledger, candidate) ? record.deployment : undefined;
  }

  /** Whether all workloads of a candidate are as it would make them, by it and in its stage. */
  private stands(ledger: ProjectLedger, candidate: Candidate): boolean {
    const { artifact, stage, destinations } = candidate;
    const place = { workflow: artifact.content.name, stage: stage.name };
    const isMarked = destinations.every(({ target }) =>
      stage.resources.every(({ kind, metadata }) => {
        const live = target.workload(metadata.namespace, { kind, name: metadata.name });
        return live !== undefined && isOf(live, place) && liveDigest(live) === artifact.digest;
      }),
    );
    if (!isMarked) return false;
    const { targets } = examineCandidate(this.options, ledger, candidate).check;
    return targets.every(({ changes }) => changes.every(({ change }) => change === 'unchanged'));
  }

  private deploymentOf(project: string, ledger: ProjectLedger, id: string): Deployment | undefined {
    const record = this.options.state.record(id);
    if (record) return record.deployment;
    const entry = ledger.open.find((one) => one.id === id);
    return entry && pending(project, entry);
  }
}

/** A deployment of which nothing was done. */
export const pending = (project: string, entry: LedgerEntry): Deployment =>
  freshRecord(project, entry, undefined).deployment;

function refused(check: Check): Refusal {
  const problems = [...check.problems, ...check.targets.flatMap((one) => one.problems)] as readonly Problem[];
  const short = check.targets.filter(({ fits }) => !fits);
  const isShort = short.length > 0;
  const places = short.map(({ target }) => target).join(', ');
  return new Refusal(422, {
    title: isShort ? 'The quota has no room for it' : 'It would be refused',
    ...(isShort && { detail: `It asks for more than is left on ${places}.` }),
    problems: problems.filter((one) => isError(one)).concat(problems.filter((one) => !isError(one))),
    check,
  });
}

function same(before: string, now: string, deployment: Deployment): Deployment {
  if (before === now) return deployment;
  throw new Refusal(409, {
    title: 'The idempotency key was used for another request',
    detail: 'give each deployment a key of its own; repeat a request with the key and the body that it had',
  });
}

const hashOf = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex');
