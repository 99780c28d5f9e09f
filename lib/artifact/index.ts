/** Deployment artifacts: a workflow with its workloads, resolved, signed and stored immutably by version. */

// Publishing: resolve a workflow and its build properties to content, and sign it.
export { resolveWorkflow, type WorkflowInputs } from './resolve-workflow';
export { type WorkloadManifest } from './workload-manifest';
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
  verifyArtifact,
  stageRule,
  createVerificationStore,
  type Acceptance,
  type TrustedPublisher,
  type StageRule,
  type VerificationStore,
} from './verify-artifact';
export { discoverIssuerKeys, issuerKeysByDiscovery, IssuerUnreachable, type IssuerKeys } from './issuer-keys';
