/** The stack `platform`: stages of objects on the cluster that the stack `cluster` made. */
export { platformProgram, type PlatformSettings } from './platform-program';
