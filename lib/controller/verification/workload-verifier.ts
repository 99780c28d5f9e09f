import { metadataKeys } from '../../api';
import {
  isRecordedWorkload,
  partDigest,
  proofHash,
  readBreakGlassWrite,
  verifyWorkload,
  type ArtifactResource,
  type IssuerKeys,
  type WorkloadPart,
  type WorkloadRecord,
  type WorkloadVerdict,
} from '../../artifact';
import { type ProjectContext } from '../../expand';
import { type LiveObject } from '../../client';
import { type ClusterWriter } from '../cluster-writer';
import { readRecords, writeRecord, type RecordHistory } from './record-history';
import { breakGlassMessage, expiredMessage, refusalMessage, verifiedMessage } from './verification-message';
import { type InstalledPolicies } from './installed-policies';
import { type Verification } from './verification';
import { unprovenField, verifiedSource, writtenWorkload } from './verified-source';

/** Maximum number of workloads whose verification is cached; a rollout reconciles the same few many times. */
const maxCached = 1024;
/** Maximum time of a break-glass change from when it was first seen, in milliseconds. */
const maxBreakGlass = 24 * 3_600_000;
/** Milliseconds until a refusal that others may resolve is checked again: an outage, or new keys of an issuer. */
const retryAfter = { IssuerUnreachable: 10_000, UntrustedPublisher: 60_000 } as const;

/** Options of a workload verifier. */
export interface WorkloadVerifierOptions {
  readonly issuerKeys: IssuerKeys;
  /** New specs are refused while an admission policy is missing or changed. */
  readonly policies: Pick<InstalledPolicies, 'problem'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** What the verification of a workload depends on besides it: the present Platform and Project, whatever revision it follows. */
export type ProtectedContext = Pick<ProjectContext, 'platform' | 'project'>;

/** A workload as its objects follow it. */
export interface FollowedWorkload {
  readonly source: LiveObject;
  /** Digest of the accepted part. @default - its objects follow its spec */
  readonly part?: string;
}

interface CachedVerification {
  readonly history: RecordHistory;
  readonly version: string;
  readonly context: ProtectedContext;
  readonly verification: Verification;
  /** Problem of the admission policies. */
  readonly policyProblem: string | undefined;
}

type Refusal =
  | (WorkloadVerdict & { readonly accepted: false })
  | { readonly accepted: false; readonly reason: 'PoliciesChanged'; readonly message: string };

/**
 * Decides what the objects of a workload in a protected project follow: its spec if its proof is trusted, otherwise what was
 * accepted last. What is accepted is recorded first, so that it stays accepted.
 */
export class WorkloadVerifier {
  /** By UID; the last entry of a map is the most recent one. */
  readonly #cached = new Map<string, CachedVerification>();

  /** Accepted parts by UID, where they differ from the spec; no part was ever accepted if it is undefined. */
  readonly #parts = new Map<string, 'spec' | WorkloadPart | undefined>();

  constructor(private readonly options: WorkloadVerifierOptions) {}

  /**
   * Returns a workload of a protected project as its objects follow it: itself if its spec is verified, otherwise with the part that
   * was accepted last; undefined if it is not verified yet, or nothing was ever accepted. Sends no request.
   */
  followed(live: LiveObject): FollowedWorkload | undefined {
    const part = this.#parts.get(live.metadata.uid);
    if (part === undefined) return undefined;
    return part === 'spec' ? { source: live } : follows(live, { part });
  }

  /** Verifies a workload of a protected project. */
  async verify(live: LiveObject, context: ProtectedContext, writer: ClusterWriter): Promise<Verification> {
    const { uid, generation, labels, annotations } = live.metadata;
    const version = JSON.stringify([generation, labels, annotations]);
    const cached = this.#cached.get(uid);
    this.#cached.delete(uid);
    if (cached?.version === version && this.#isCurrent(cached, context)) {
      this.#cached.set(uid, cached);
      return cached.verification;
    }
    const history = cached?.history ?? (await readRecords(live, writer));
    const policyProblem = this.options.policies.problem;
    const checked = await this.#check(live, context, history, writer);
    const { platform, project } = context;
    const { record } = checked.history;
    const isSpec = checked.verification.state === 'verified';
    this.#parts.set(uid, isSpec ? 'spec' : record?.part);
    this.#cached.set(uid, { ...checked, version, context: { platform, project }, policyProblem });
    const [oldest] = this.#cached.keys();
    if (this.#cached.size > maxCached && oldest !== undefined) this.#cached.delete(oldest);
    return checked.verification;
  }

  /** Drops the state of a deleted workload. */
  forget(uid: string): void {
    this.#cached.delete(uid);
    this.#parts.delete(uid);
  }

  #isCurrent({ context, verification, policyProblem }: CachedVerification, current: ProtectedContext): boolean {
    const { until = Infinity } = verification;
    return (
      context.platform === current.platform &&
      context.project === current.project &&
      policyProblem === this.options.policies.problem &&
      this.options.now() < until
    );
  }

  async #check(
    live: LiveObject,
    context: ProtectedContext,
    history: RecordHistory,
    writer: ClusterWriter,
  ): Promise<Pick<CachedVerification, 'history' | 'verification'>> {
    const { record } = history;
    const verdict = await this.#verdict(live, context, record);
    if ('record' in verdict) {
      const isNew = verdict.record !== record;
      const next = isNew ? await writeRecord(live, verdict.record, history, writer) : history;
      const message = verifiedMessage(verdict.record);
      const verification = {
        state: 'verified',
        reason: 'Verified',
        message,
        ...follows(live, verdict.record),
      } as const;
      return { history: next, verification };
    }
    return (
      (await this.#breakGlass(live, history, writer)) ?? { history, verification: this.#refused(live, verdict, record) }
    );
  }

  /** Returns the record of an accepted workload, which is the present one if nothing changed, or why it is refused. */
  async #verdict(
    live: LiveObject,
    { platform, project }: ProtectedContext,
    record: WorkloadRecord | undefined,
  ): Promise<{ readonly record: WorkloadRecord } | Refusal> {
    const resource = live as unknown as ArtifactResource;
    const deployment = record?.deployment?.authorization;
    if (record && isRecordedWorkload(resource, record)) return acceptedOr(live, record);
    const { problem } = this.options.policies;
    if (problem !== undefined) return { accepted: false, reason: 'PoliciesChanged', message: problem };
    const verdict = await verifyWorkload(resource, {
      cluster: platform.spec.cluster,
      project,
      deploymentKeys: platform.spec.deploymentKeys,
      issuerKeys: this.options.issuerKeys,
      ...(deployment && { accepted: deployment }),
    });
    if (!verdict.accepted) return verdict;
    const { part, authorization, envelope } = verdict;
    const annotations = proofHash(resource);
    return acceptedOr(live, {
      part,
      deployment: { authorization, annotations, ...(envelope !== undefined && { envelope }) },
    });
  }

  #refused(live: LiveObject, { reason, message }: Refusal, record: WorkloadRecord | undefined): Verification {
    const retry = reason === 'IssuerUnreachable' || reason === 'UntrustedPublisher' ? retryAfter[reason] : undefined;
    return {
      state: 'refused',
      reason,
      message: refusalMessage(message, record),
      ...(record && follows(live, record)),
      ...(retry !== undefined && { until: this.options.now() + retry }),
    };
  }

  /** Returns the verification of a workload with a break-glass annotation; undefined if it has none. */
  async #breakGlass(
    live: LiveObject,
    history: RecordHistory,
    writer: ClusterWriter,
  ): Promise<Pick<CachedVerification, 'history' | 'verification'> | undefined> {
    const annotation = live.metadata.annotations?.[metadataKeys.breakGlass];
    const write = annotation === undefined ? undefined : readBreakGlassWrite(annotation);
    if (annotation === undefined || !write) return undefined;
    const { record } = history;
    const now = this.options.now();
    const since = record?.breakGlass?.annotation === annotation ? record.breakGlass.since : now;
    const until = Math.min(write.expires, since + maxBreakGlass);
    if (now >= until) {
      const message = refusalMessage(expiredMessage(write, until), record);
      const expired = { state: 'refused', reason: 'BreakGlassExpired', message } as const;
      return { history, verification: { ...expired, ...(record && follows(live, record)) } };
    }
    const { deployment } = record ?? {};
    const next = { part: writtenWorkload(live), ...(deployment && { deployment }), breakGlass: { annotation, since } };
    const isSame = record?.breakGlass?.annotation === annotation && partDigest(record.part) === partDigest(next.part);
    // Anyone may have written it.
    if (!isSame && this.options.policies.problem !== undefined) return undefined;
    const message = breakGlassMessage(write, until);
    return {
      history: isSame ? history : await writeRecord(live, next, history, writer),
      verification: { state: 'breakGlass', reason: 'BreakGlass', message, until, ...follows(live, next) },
    };
  }
}

/** Returns what the objects of a workload follow by a record. */
const follows = (live: LiveObject, { part }: { readonly part: WorkloadPart }) => ({
  source: verifiedSource(live, part),
  part: partDigest(part),
});

/** Returns a record, unless the spec has fields besides its part. */
function acceptedOr(live: LiveObject, record: WorkloadRecord): { readonly record: WorkloadRecord } | Refusal {
  const field = unprovenField(live, verifiedSource(live, record.part));
  if (field === undefined) return { record };
  const message = `${field} is not in its proof; deploy it again with the submission service`;
  return { accepted: false, reason: 'ProofInvalid', message };
}
