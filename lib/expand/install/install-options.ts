import { type ManifestInput, type PlatformKind } from '../../api';
import { type ControllerDeploymentOptions } from './controller-deployment';

/** What is installed, and how. */
export interface InstallOptions extends ControllerDeploymentOptions {
  /** Namespace of the controller alone; not that of node-level parts, which are privileged. @default pinion-controller */
  readonly namespace?: string;
  /** Platform, RuntimeProfile and Project documents of the cluster, installed with the rest. @default - none, and the controller waits for a Platform */
  readonly documents?: readonly ManifestInput<PlatformKind>[];
}

/** What an uninstall has to know: whatever decides names. The image does not. */
export type UninstallOptions = Omit<InstallOptions, 'image'> & Partial<Pick<InstallOptions, 'image'>>;
