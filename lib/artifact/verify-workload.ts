import { metadataKeys, type PlatformManifest, type Problem } from '../api';
import { envelopeName } from './artifact';
import { type ArtifactResource } from './artifact-content';
import { verifiedAuthorization, type Authorization } from './authorization';
import { IssuerUnreachable, type IssuerKeys } from './issuer-keys';
import { stageRule, verifyArtifact, type StageRule, type VerificationStore } from './verify-artifact';
import { extractOutline, outlineOf } from './outline';
import { partDigest, workloadPart, type WorkloadPart } from './workload-part';
import { proofHash, type WorkloadRecord } from './workload-record';
import { includesWorkload, publishedPart, readProof, type WorkloadProof } from './workload-proof';

/** Why a workload of a protected project is not accepted. */
export const rejectionReasons = [
  'DeploymentKeysMissing',
  'ProofMissing',
  'ProofInvalid',
  'AuthorizationInvalid',
  'OtherWorkload',
  'Superseded',
  'UntrustedPublisher',
  'IssuerUnreachable',
] as const;

/** Machine-readable reason why a workload is not accepted. */
export type RejectionReason = (typeof rejectionReasons)[number];

/** What is known about the cluster and the workload. */
export interface WorkloadTrust {
  /** Name of the cluster, as in its Platform. */
  readonly cluster: string;
  readonly project: PlatformManifest<'Project'>;
  /** Public keys of the submission service. */
  readonly deploymentKeys: readonly string[];
  readonly issuerKeys: IssuerKeys;
  /** Signatures that were verified before. */
  readonly verifications?: VerificationStore;
  /** Last accepted deployment of the workload. @default - none */
  readonly accepted?: { readonly sequence: number; readonly part: string };
}

/** Result of verifying the proof of a workload. */
export type WorkloadVerdict =
  | {
      readonly accepted: true;
      /** The workload as published, without its number of replicas. */
      readonly part: WorkloadPart;
      readonly authorization: Authorization;
      /** Hash of the envelope of the publisher; undefined if the stage has no publishers or they were bypassed. */
      readonly envelope?: string;
    }
  | {
      readonly accepted: false;
      readonly reason: RejectionReason;
      /** What is wrong, and the remedy. */
      readonly message: string;
    };

/**
 * Checks whether a live workload carries what a trusted publisher signed, and whether the submission service authorized it
 * for this cluster, project, stage, kind and name with a sequence number that is not older than the accepted one.
 *
 * Only the fields that the proof describes are checked: compare the rest with the returned part.
 */
export async function verifyWorkload(live: ArtifactResource, trust: WorkloadTrust): Promise<WorkloadVerdict> {
  if (trust.deploymentKeys.length === 0)
    return rejected('DeploymentKeysMissing', 'spec.deploymentKeys of the Platform is empty', addKey);
  const annotations = (live.metadata['annotations'] ?? {}) as Readonly<Record<string, string | undefined>>;
  const { [metadataKeys.proof]: proofText, [metadataKeys.authorization]: authorizationText } = annotations;
  if (proofText === undefined || authorizationText === undefined)
    return rejected('ProofMissing', `has no annotation ${missingKey(proofText)}`, deployIt);
  const authorization = verifiedAuthorization(authorizationText, trust.deploymentKeys);
  if (!authorization)
    return rejected('AuthorizationInvalid', 'has an authorization that no key of spec.deploymentKeys signed', useKey);
  const proof = readProof(proofText);
  const part = proof && publishedPart(live, proof);
  if (!proof || !part)
    return rejected('ProofInvalid', 'differs from what its proof describes, or the proof is malformed', deployAgain);
  const digest = partDigest(part);
  const other = otherWorkload(authorization, live, trust, digest);
  if (other !== undefined) return rejected('OtherWorkload', other, deployAgain);
  const forged = forgedMark(authorization, live, proof.inclusion);
  if (forged !== undefined) return rejected('ProofInvalid', forged, deployAgain);
  const superseded = supersededBy(authorization, digest, trust.accepted);
  if (superseded !== undefined) return rejected('Superseded', superseded, rollBack);
  const { rule } = stageRule(trust.project, authorization.stage);
  if (!rule || !ownsCluster(trust, authorization.stage)) {
    const reason = `is authorized for stage ${authorization.stage}, which does not own cluster ${trust.cluster}`;
    return rejected('OtherWorkload', reason, 'list the cluster in the stage of the Project, or deploy its own stage');
  }
  const source = await sourceOf(live, { proof, digest }, authorization, rule, trust);
  return 'reason' in source ? source : { accepted: true, part, authorization, ...source };
}

/**
 * Returns whether a live workload still is the deployment of its record, with the same proof. Needs no key and no issuer,
 * so that what was accepted once stays accepted.
 */
export function isRecordedWorkload(live: ArtifactResource, { part, deployment, breakGlass }: WorkloadRecord): boolean {
  if (!deployment || breakGlass || deployment.annotations !== proofHash(live)) return false;
  const { authorization } = deployment;
  const present = extractOutline(workloadPart(live), outlineOf(part)) as WorkloadPart | undefined;
  return (
    present !== undefined &&
    otherWorkload(authorization, live, authorization, partDigest(present)) === undefined &&
    forgedMark(authorization, live) === undefined
  );
}

const addKey = 'add the public key of the submission service to it';
const deployIt = 'deploy it with the submission service';
const deployAgain = 'deploy it again with the submission service';
const useKey = 'deploy it again, or add the public key of the submission service to the Platform';
const rollBack = 'roll back with the submission service, which authorizes it again';
const publishAgain = 'publish the artifact again with this version of pinion, and deploy it';

const rejected = (reason: RejectionReason, text: string, remedy: string): WorkloadVerdict & { accepted: false } => ({
  accepted: false,
  reason,
  message: `${text}; ${remedy}`,
});

const missingKey = (proof: string | undefined): string =>
  proof === undefined ? metadataKeys.proof : metadataKeys.authorization;

/** Returns how an authorization belongs to something else; undefined if it is for this workload. */
function otherWorkload(
  authorization: Authorization,
  { kind, metadata: { name, namespace } }: ArtifactResource,
  { cluster }: Pick<WorkloadTrust, 'cluster'>,
  digest: string,
): string | undefined {
  const expected = { cluster, project: namespace, kind, name };
  for (const [field, value] of Object.entries(expected) as [keyof typeof expected, string][])
    if (authorization[field] !== value) return `is authorized for ${field} ${authorization[field]}, not ${value}`;
  return authorization.part === digest ? undefined : 'has fields that differ from the authorized ones';
}

/** Returns how the labels and annotations of the deployment differ from what is signed; undefined if they do not. */
function forgedMark(
  { artifact, digest, sequence, stage }: Authorization,
  { metadata }: ArtifactResource,
  inclusion?: WorkloadProof['inclusion'],
): string | undefined {
  const { labels = {}, annotations = {} } = metadata as {
    readonly labels?: Readonly<Record<string, unknown>>;
    readonly annotations?: Readonly<Record<string, unknown>>;
  };
  const marks = [
    [metadataKeys.stage, labels, stage],
    [metadataKeys.deploymentSequence, annotations, `${sequence}`],
    [metadataKeys.artifact, annotations, artifact],
    [metadataKeys.artifactDigest, annotations, digest],
  ] as const;
  for (const [key, found, value] of marks) if (found[key] !== value) return `is authorized with ${key} ${value}`;
  const isSame = !inclusion || (inclusion.subject.name === artifact && inclusion.subject.digest === digest);
  return isSame ? undefined : `is authorized for ${artifact}, but its proof is of ${inclusion.subject.name}`;
}

function supersededBy(
  { sequence }: Authorization,
  digest: string,
  accepted: WorkloadTrust['accepted'],
): string | undefined {
  if (!accepted || sequence > accepted.sequence) return undefined;
  if (sequence === accepted.sequence && digest === accepted.part) return undefined;
  return `belongs to deployment ${sequence}, but deployment ${accepted.sequence} was accepted before`;
}

const ownsCluster = ({ project, cluster }: WorkloadTrust, stage: string): boolean =>
  (project.spec.stages ?? []).some(({ name, clusters = [] }) => name === stage && clusters.includes(cluster));

type Rejected = WorkloadVerdict & { readonly accepted: false };

/** Returns the envelope of the publisher of a part, or why the part has no trusted origin. */
async function sourceOf(
  { kind, metadata: { name, namespace } }: ArtifactResource,
  { proof, digest }: { readonly proof: WorkloadProof; readonly digest: string },
  { stage, intent }: Authorization,
  rule: StageRule,
  { issuerKeys, verifications }: WorkloadTrust,
): Promise<{ readonly envelope?: string } | Rejected> {
  if (rule.publishers.length === 0) return {};
  // The service checks the members of these groups; without groups, it may not bypass the publishers.
  if (intent === 'breakGlass' && rule.breakGlass.length > 0) return {};
  const { inclusion } = proof;
  if (!inclusion) return rejected('ProofInvalid', 'has a proof without a signature of a publisher', deployAgain);
  if (inclusion.subject.workloads === undefined)
    return rejected('ProofInvalid', 'was published without digests of its workloads', publishAgain);
  if (!includesWorkload(inclusion, { stage, kind, name, namespace, digest }))
    return rejected('ProofInvalid', `is not in the signed artifact ${inclusion.subject.name}`, deployAgain);
  let unreachable: string | undefined;
  const keys: IssuerKeys = (issuer) =>
    issuerKeys(issuer).catch((error: unknown) => {
      if (error instanceof IssuerUnreachable) unreachable = error.message;
      throw error;
    });
  const candidate = { reference: inclusion.subject.name, signatures: [inclusion.signature] };
  const acceptance = await verifyArtifact(candidate, rule, keys, verifications);
  if (acceptance.accepted) return { envelope: envelopeName(inclusion.signature.envelope) };
  if (unreachable !== undefined)
    return rejected('IssuerUnreachable', unreachable, 'the controller retries until the issuer responds');
  return rejected('UntrustedPublisher', ...textOf(acceptance.problems));
}

const textOf = ([problem]: readonly Problem[]): [string, string] => [
  `${String(problem?.value)} ${problem?.reason ?? 'is not signed'}`,
  problem?.remedy ?? publishAgain,
];
