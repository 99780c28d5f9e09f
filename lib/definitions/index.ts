/** Judges changes of CustomResourceDefinitions: what a new version does to stored objects, writes and clients. */
export { asDefinition, storageVersion, storedVersionsOf, type CustomResourceDefinition } from './definition';
export { compareDefinitions, compareDefinitionSets } from './compare-definitions';
export { definitionErrors } from './definition-errors';
export {
  acknowledgePruning,
  findingClasses,
  gravestClass,
  isBreaking,
  unusedPruningPaths,
  type DefinitionFinding,
  type FindingClass,
} from './definition-finding';
export {
  isObjectOf,
  objectText,
  tryObject,
  writeAttempts,
  type ObjectTrial,
  type RejectedWrite,
  type StoredObject,
} from './objects/try-object';
export { fieldEdits, scaleWrite, type TriedWrite, type TrialStep } from './objects/object-edits';
export { withTrials } from './objects/trial-findings';
export { trialOnServer, type ServerRejection } from './objects/trial-on-server';
