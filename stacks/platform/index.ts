/** Program of the platform stack: applies the planned stages to the cluster of the cluster stack. */
export { platformProgram, type PlatformSettings } from './platform-program';
