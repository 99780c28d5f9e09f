/** The stack `platform`: what is put on a fresh cluster, as plain objects in the order in which they are applied. */
export { examinePlatformStack, planPlatformStack, type ExaminedPlatformStack } from './platform-stack';
export { stageNames, type Awaited, type ObjectReference, type Stage, type StageName } from './stage';
export { personalFacts, type PlatformFacts, type PlatformFactsInput } from './platform-facts';

// What the stack that makes the cluster has to agree with.
export { platformAccounts, platformProjects, type CloudAccount } from './platform-accounts';
export { dnsAddress } from './core-dns';

// Programs of the platform, as data for the documentation.
export { addOns, imageOf, versionOf, type AddOn, type AddOnName } from './add-ons';
