import { type ManifestInput, type PlatformKind } from '../../api';
import { type ControllerDeploymentOptions } from './controller-deployment';

/** Options of an installation. */
export interface InstallOptions extends ControllerDeploymentOptions {
  /** Namespace of the controllers; not that of node-level parts, which are privileged. @default pinion-controller */
  readonly namespace?: string;
  /**
   * Whether one controller, with one service account, reconciles workloads, Projects and the Platform. Its stolen token
   * gains more than that of two.
   * @default false
   */
  readonly singleController?: boolean;
  /** Image of the gateway to the API server, with tag or digest, if the Platform has one. @default - it is not installed */
  readonly gatewayImage?: string;
  /**
   * Image of the client monitor, with tag or digest, for control plane nodes whose API server sends it audit events.
   * @default - it is not installed
   */
  readonly clientMonitorImage?: string;
  /**
   * Namespace in which the client monitor stores its history: that of the quota monitor, if the page is to read it. It must
   * exist, and contain nothing else, because the monitor may change all of its ConfigMaps.
   * @default - no history is stored
   */
  readonly clientHistoryNamespace?: string;
  /** Platform, RuntimeProfile and Project manifests to install. @default - none; the controller waits for a Platform */
  readonly documents?: readonly ManifestInput<PlatformKind>[];
}

/** Options of an uninstall: those of the installation, but the image is optional. */
export type UninstallOptions = Omit<InstallOptions, 'image'> & Partial<Pick<InstallOptions, 'image'>>;
