import { parseDuration } from '@pinion-platform/pinion/api';
import { type Flags } from './control-plane-spec';
import { yamlText } from '../text/yaml-text';
import { type KubeletSpec } from '../kubelet-configuration';
import { plainFile, type MachineFile } from '../text/machine-file';

/** Folder of the patches that kubeadm applies to the static pod manifests. */
export const patchesFolder = '/etc/pinion/patches';

/** Seconds to flush the audit log and events after the last request. */
const flushSeconds = 10;

/**
 * Returns the termination grace period of an API server in seconds: it serves until load balancers have noticed, then ends
 * watches and waits for other requests, up to the request timeout. The default of static pods, 30 seconds, is too short.
 */
export function shutdownSeconds(flags: Flags): number {
  const seconds = (name: string, defaultSeconds: number): number =>
    Math.ceil((parseDuration(flags[name] ?? '')?.millis ?? defaultSeconds * 1000) / 1000);
  const requests = Math.max(seconds('request-timeout', 60), seconds('shutdown-watch-termination-grace-period', 0));
  return seconds('shutdown-delay-duration', 0) + requests + flushSeconds;
}

/** Returns the patch that sets this grace period. */
export const shutdownPatch = (flags: Flags): MachineFile =>
  plainFile(
    `${patchesFolder}/kube-apiserver0+strategic.yaml`,
    yamlText({ spec: { terminationGracePeriodSeconds: shutdownSeconds(flags) } }),
  );

/** Returns the kubelet settings of a control plane node, with the same grace period when its machine shuts down. */
export function withShutdownGracePeriod(kubelet: KubeletSpec, flags: Flags): KubeletSpec {
  const criticalSeconds = shutdownSeconds(flags);
  const periods = {
    shutdownGracePeriod: `${criticalSeconds + 40}s`,
    shutdownGracePeriodCriticalPods: `${criticalSeconds}s`,
  };
  return { ...kubelet, overrides: { ...periods, ...kubelet.overrides } };
}
