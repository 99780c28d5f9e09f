/** Plan of the platform stack: objects of a fresh cluster, in stages. */
export { safePlanPlatformStack, planPlatformStack, type PlatformStackResult } from './platform-stack';
export { stageNames, type AwaitedObject, type ObjectReference, type Stage, type StageName } from './stage';
export { operatorFields, type PlatformStackConfig, type PlatformStackInput } from './config/platform-stack-config';

// Shared with the cluster stack.
export { platformAccounts, platformProjects, type CloudAccount } from './config/platform-accounts';
export { dnsAddress } from './add-ons/core-dns';

// Add-ons, as data for the docs.
export { addOns, addOnImage, addOnVersion, type AddOn, type AddOnName } from './add-ons/add-ons';
