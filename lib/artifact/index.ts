/** What is deployed: a workflow with its workloads, resolved, signed and kept for ever under its version. */

// Making: a workflow and its build properties become content, and content is signed.
export { resolveWorkflow, type WorkflowInputs } from './resolve-workflow';
export { type WorkloadDocument } from './workload-document';
export { type ArtifactContent, type ArtifactResource, type ArtifactStage } from './artifact-content';
export { prepareArtifact, type PreparedArtifact, type SignedArtifact, type StoredSignature } from './artifact';
export { audienceOf, publicKeyText, readSigningKey, signedByKey, signedByToken, type Envelope } from './envelope';
export { claimsOf, type IssuerKey, type TokenClaims } from './identity-token';
export { type Provenance } from './statement';

// Keeping: the store, what it is made of, and what it lets go of.
export { ArtifactStore, isReference, parseReference, type PublishedVersion, type PutOutcome } from './artifact-store';
export { StoreInaccessible, type ObjectEntry, type Objects } from './objects';
export { FolderObjects } from './folder-objects';
export { storePlaceOf, type StorePlace } from './store-place';
export { prune, type Retention } from './retention';
export { sideBySide } from './side-by-side';

// Trusting: who signed, and whether a stage of a Project accepts that.
export {
  examineAcceptance,
  stageRule,
  witnessIn,
  type Acceptance,
  type Publisher,
  type StageRule,
  type Witness,
} from './acceptance';
export { discoverIssuerKeys, issuerKeysByDiscovery, IssuerUnreachable, type IssuerKeys } from './issuer-keys';
