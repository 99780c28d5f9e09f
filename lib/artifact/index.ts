/** Deployment artifacts: a workflow with its workloads, resolved, signed and stored immutably by version. */

// Publishing: resolve a workflow and its build properties to content, and sign it.
export { resolveWorkflow, type WorkflowInputs } from './resolve-workflow';
export { type WorkloadManifest } from './workload-manifest';
export { resolveStage, unknownStage, type OpenField } from './resolve-stage';
export { stageContext } from './stage-context';
export { type ArtifactContent, type ArtifactResource, type ArtifactStage } from './artifact-content';
export { prepareArtifact, type PreparedArtifact, type SignedArtifact, type StoredSignature } from './artifact';
export { audienceOf, publicKeyText, readSigningKey, signedByKey, signedByToken, type Envelope } from './envelope';
export { decodeClaims, type IssuerKey, type TokenClaims } from './identity-token';
export { type Provenance } from './statement';

// Storage and retention.
export { ArtifactStore, isReference, parseReference, type PublishedVersion, type PutResult } from './artifact-store';
export { StoreUnavailable, type ObjectEntry, type BlobStore } from './blob-store';
export { FolderBlobStore } from './folder-blob-store';
export { parseStoreLocation, type StoreLocation } from './store-location';
export { prune, type Retention } from './retention';
export { mapConcurrently } from './map-concurrently';

// Verification of signatures against the publishers of a stage.
export {
  isIssuerOutage,
  verifyArtifact,
  stageRule,
  createVerificationStore,
  type Acceptance,
  type StageRule,
  type VerificationStore,
} from './verify-artifact';
export { claimMismatch, identityMismatch, type PublisherIdentity, type TrustedPublisher } from './match-publisher';
export { stageImageProblems } from './stage-images';
export { stageClusterProblems, workflowClusterProblems } from './stage-clusters';
export { discoverIssuerKeys, issuerKeysByDiscovery, IssuerUnreachable, type IssuerKeys } from './issuer-keys';

// Proofs that workloads of protected projects carry.
export { signAuthorization, verifiedAuthorization, type Authorization } from './authorization';
export { proofText } from './workload-proof';
export { partDigest, withoutReplicas, workloadPart, type WorkloadPart } from './workload-part';
export { proofHash, readWorkloadRecord, storedRecord, type WorkloadRecord } from './workload-record';
export { readBreakGlassWrite, type BreakGlassWrite } from './break-glass-write';
export {
  isRecordedWorkload,
  rejectionReasons,
  verifyWorkload,
  type RejectionReason,
  type WorkloadTrust,
  type WorkloadVerdict,
} from './verify-workload';
