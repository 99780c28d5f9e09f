import { createHash } from 'node:crypto';
import { isError, type Problem } from '../../api';
import { type Caller, type Cause, type DeploymentPreview, type Deployment, type DeployRequest } from '../../contract';
import { ProblemResponse } from '../problem-response';
import { type IdempotentRequest } from '../service';
import { createDeploymentRecord, isFinal } from '../state/deployment-record';
import {
  aliased,
  bytesOf,
  maxLedgerBytes,
  aliasOf,
  stageHistoryOf,
  maxOpen,
  opened,
  type LedgerEntry,
  type ProjectLedger,
} from '../state/project-ledger';
import { isKeepable } from '../state/record-texts';
import { candidateFor, referencedProject, requireMembership, type Candidate, type CandidateSources } from './candidate';
import { previewCandidate, previewStage, type PreviewDeps } from './preview-candidate';
import { isDeployedBy, largestSequence, liveDigest } from './mark';
import { KeyedSerialQueue } from './keyed-serial-queue';
import { reauthorize } from './reauthorize';
import { reservationsFor } from './reservations';

/** Dependencies of the admission. */
interface AdmissionOptions extends CandidateSources, PreviewDeps {
  /** Called with deployments that bypassed the publishers of a protected stage. */
  readonly onBreakGlass: (deployment: Deployment, caller: Caller) => void;
}

/** Candidate with its idempotency key and the hash of its request. */
interface AdmissionRequest {
  readonly id: string;
  readonly request: string;
  readonly candidate: Candidate;
}

type Outcome = Deployment | Error;

/** Admits deployments: checks authorization, trust, validity and quota, and appends them to the project's ledger. */
export class DeploymentAdmission {
  /** Batches all pending writes to the ledger of a project. */
  private readonly writing = new KeyedSerialQueue<AdmissionRequest, Outcome>((project, requests) =>
    this.options.state.changeLedger(project, (ledger) => this.admitAll(ledger, requests)),
  );

  constructor(private readonly options: AdmissionOptions) {}

  /** Previews a deployment; writes nothing. */
  async preview(caller: Caller, request: DeployRequest): Promise<DeploymentPreview> {
    const candidate = await candidateFor(this.options, caller, request, 'deploy');
    const ledger = this.options.state.ledger(referencedProject(request.artifact));
    return previewCandidate(this.options, ledger, candidate).preview;
  }

  /** Admits a deployment, or returns the existing one for the same key or artifact. */
  async accept(
    { caller, idempotencyKey }: IdempotentRequest,
    request: DeployRequest,
    intent: Deployment['intent'],
    requestHash = hashOf(intent, request.artifact, request.stage, request.breakGlass ?? ''),
  ): Promise<Deployment> {
    const project = referencedProject(request.artifact);
    const id = idOf({ caller, idempotencyKey }, project);
    const earlier = this.earlier({ caller, idempotencyKey }, project, requestHash);
    if (earlier) return earlier;
    const candidate = await candidateFor(this.options, caller, request, intent);
    const outcome = await this.writing.enqueue(candidate.artifact.content.project, {
      id,
      request: requestHash,
      candidate,
    });
    if (outcome instanceof Error) throw outcome;
    if (candidate.breakGlass !== undefined && outcome.id === id) this.options.onBreakGlass(outcome, caller);
    return outcome;
  }

  /**
   * Returns the deployment that an idempotency key created before. Throws a `ProblemResponse` if its request differed.
   */
  earlier(idempotentRequest: IdempotentRequest, project: string, requestHash: string): Deployment | undefined {
    const id = idOf(idempotentRequest, project);
    requireMembership(this.options, idempotentRequest.caller, project);
    const record = this.options.state.record(id);
    if (record) return requireSameRequest(record.request, requestHash, record.deployment);
    return this.earlierIn(project, this.options.state.ledger(project), id, requestHash);
  }

  private earlierIn(project: string, ledger: ProjectLedger, id: string, requestHash: string): Deployment | undefined {
    const own = ledger.open.find((one) => one.id === id);
    if (own)
      return requireSameRequest(
        own.request,
        requestHash,
        this.deploymentOf(project, ledger, id) ?? pending(project, own),
      );
    const alias = aliasOf(ledger, id);
    const original = alias && this.deploymentOf(project, ledger, alias.deployment);
    return original && requireSameRequest(alias.request, requestHash, original);
  }

  /** Returns whether a queued deployment fits into the quota now, next to all others in progress. */
  async fitsQuota(project: string, entry: LedgerEntry): Promise<boolean> {
    const { state, targets, artifacts, clock } = this.options;
    const { stage } = await artifacts.stage(entry.digest, entry.stage);
    const place = { ledger: state.ledger(project), project, workflow: entry.workflow, now: clock.now() };
    return stage.targets.every((name) => {
      const target = targets.get(name);
      return target !== undefined && previewStage({ ...place, target }, stage, entry).preview.fits;
    });
  }

  /** Returns why an accepted deployment may not continue by the current Projects; undefined if it may. */
  deniedNow(project: string, entry: LedgerEntry): Promise<Cause | undefined> {
    return reauthorize(this.options, project, entry);
  }

  private admitAll(
    before: ProjectLedger,
    requests: readonly AdmissionRequest[],
  ): { readonly ledger?: ProjectLedger; readonly result: readonly Outcome[] } {
    let ledger = before;
    const result = requests.map((admission): Outcome => {
      try {
        const admitted = this.admit(ledger, admission);
        ledger = admitted.ledger;
        return admitted.deployment;
      } catch (error) {
        // The problem of one deployment must not be returned to the others of its batch.
        return error instanceof Error ? error : new Error('an admission failed', { cause: error });
      }
    });
    return { ...(ledger !== before && { ledger }), result };
  }

  private admit(
    ledger: ProjectLedger,
    admission: AdmissionRequest,
  ): { readonly ledger: ProjectLedger; readonly deployment: Deployment } {
    const { id, request, candidate } = admission;
    const { artifact } = candidate;
    const { project } = artifact.content;
    const record = this.options.state.record(id);
    if (record) return { ledger, deployment: requireSameRequest(record.request, request, record.deployment) };
    const earlier = this.earlierIn(project, ledger, id, request);
    if (earlier) return { ledger, deployment: earlier };
    if (ledger.ended.some((one) => one.id === id))
      throw new ProblemResponse(503, {
        title: 'The deployment has ended; its outcome is still being read',
        retryAfter: 1,
      });
    const duplicate = this.duplicateOf(ledger, candidate);
    if (duplicate) return { ledger: aliased(ledger, { id, request, deployment: duplicate.id }), deployment: duplicate };
    if (ledger.open.length >= maxOpen)
      throw new ProblemResponse(429, { title: 'Too many deployments of the project are in progress', retryAfter: 5 });
    const newEntry = this.entryOf(admission, ledger);
    const liveSequence = largestSequence(candidate.destinations.flatMap(({ target }) => target.workloads(project)));
    const next = opened(ledger, newEntry, liveSequence);
    const entry = next.open.at(-1) as LedgerEntry;
    if (!isKeepable(project, entry)) throw tooLarge();
    if (bytesOf(next) > maxLedgerBytes) throw ledgerFull(ledger);
    return { ledger: next, deployment: pending(project, entry) };
  }

  private entryOf({ id, request, candidate }: AdmissionRequest, ledger: ProjectLedger): Omit<LedgerEntry, 'sequence'> {
    const { artifact, stage, caller, acceptance, breakGlass, intent } = candidate;
    const { preview, asks } = previewCandidate(this.options, ledger, candidate);
    if (preview.decision === 'refuse') throw refused(preview);
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
      caller: { kind: caller.kind, groups: [...caller.groups] },
      requestedAt: new Date(this.options.clock.now()).toISOString(),
      ...(breakGlass !== undefined && { breakGlass }),
      ...(provenance && { commit: provenance.commit }),
      ...(provenance?.review !== undefined && { review: provenance.review }),
      waits: preview.decision === 'queue',
      asks: reservationsFor(ledger, { workflow: artifact.content.name, stage: stage.name }, asks),
    };
  }

  /**
   * Returns the deployment of the same artifact to the same stage that is in progress, or was applied last and is
   * unchanged.
   */
  private duplicateOf(ledger: ProjectLedger, candidate: Candidate): Deployment | undefined {
    const { artifact, stage } = candidate;
    const { project, name: workflow } = artifact.content;
    const { ready, last } = stageHistoryOf(ledger, { workflow, stage: stage.name });
    const open = ledger.open.find((one) => one.id === last && one.digest === artifact.digest);
    const inProgress = open && this.deploymentOf(project, ledger, open.id);
    // A repeated request after a failed or canceled deployment starts a new one.
    const isStopped =
      inProgress?.phase === 'rollingBack' || (inProgress && isFinal(inProgress.phase) && inProgress.phase !== 'ready');
    if (inProgress && !isStopped) return inProgress;
    const [newest] = ready;
    if (newest?.digest !== artifact.digest || newest.id !== last) return undefined;
    const record = this.options.state.record(newest.id);
    if (!record || !isFinal(record.deployment.phase)) return undefined;
    return this.isUnchanged(ledger, candidate) ? record.deployment : undefined;
  }

  /** Returns whether all workloads of a candidate are in their desired state, deployed by it and in its stage. */
  private isUnchanged(ledger: ProjectLedger, candidate: Candidate): boolean {
    const { artifact, stage, destinations } = candidate;
    const place = { workflow: artifact.content.name, stage: stage.name };
    const isMarked = destinations.every(({ target }) =>
      stage.resources.every(({ kind, metadata }) => {
        const live = target.workload(metadata.namespace, { kind, name: metadata.name });
        return live !== undefined && isDeployedBy(live, place) && liveDigest(live) === artifact.digest;
      }),
    );
    if (!isMarked) return false;
    const { targets } = previewCandidate(this.options, ledger, candidate).preview;
    return targets.every(({ changes }) => changes.every(({ change }) => change === 'unchanged'));
  }

  private deploymentOf(project: string, ledger: ProjectLedger, id: string): Deployment | undefined {
    const record = this.options.state.record(id);
    if (record) return record.deployment;
    const entry = ledger.open.find((one) => one.id === id);
    return entry && pending(project, entry);
  }
}

/** Returns a deployment that has not started. */
export const pending = (project: string, entry: LedgerEntry): Deployment =>
  createDeploymentRecord(project, entry).deployment;

/**
 * Returns the response if a ledger is full; otherwise the API server would reject the writes of deployments in progress
 * too.
 */
const ledgerFull = (ledger: ProjectLedger): ProblemResponse =>
  ledger.open.length > 0
    ? new ProblemResponse(429, { title: 'The deployments of the project in progress are too large', retryAfter: 5 })
    : tooLarge();

const tooLarge = (): ProblemResponse =>
  new ProblemResponse(422, {
    title: 'The deployment is too large',
    detail: 'its requests on all clusters are too large to record; publish it as several workflows',
  });

function refused(preview: DeploymentPreview): ProblemResponse {
  const problems = [...preview.problems, ...preview.targets.flatMap((one) => one.problems)] as readonly Problem[];
  const overQuota = preview.targets.filter(({ fits }) => !fits);
  const isOverQuota = overQuota.length > 0;
  const clusters = overQuota.map(({ target }) => target).join(', ');
  return new ProblemResponse(422, {
    title: isOverQuota ? 'The deployment exceeds the quota' : 'The deployment would be rejected',
    ...(isOverQuota && { detail: `It requests more than is available on ${clusters}.` }),
    problems: problems.filter((one) => isError(one)).concat(problems.filter((one) => !isError(one))),
    preview,
  });
}

function requireSameRequest(before: string, now: string, deployment: Deployment): Deployment {
  if (before === now) return deployment;
  throw new ProblemResponse(409, {
    title: 'The idempotency key was used for another request',
    detail: 'use a unique key for each deployment; repeat a request with the same key and body',
  });
}

/**
 * Returns the ID of a deployment. Idempotency keys are scoped to a project, because there is no order across projects.
 */
const idOf = ({ caller, idempotencyKey }: IdempotentRequest, project: string): string =>
  hashOf(caller.issuer, caller.subject, project, idempotencyKey).slice(0, 20);

/** Returns the hash of a request. */
export const hashOf = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex');
