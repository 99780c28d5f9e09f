import { parseDuration } from 'pinion/api';
import { type Flags } from './control-plane-spec';
import { yamlText } from '../text/yaml-text';
import { type KubeletSpec } from '../kubelet-configuration';
import { plainFile, type MachineFile } from '../text/machine-file';

/** Folder of what kubeadm lays over the manifests that it writes. */
export const patchesFolder = '/etc/pinion/patches';

/** Seconds for what comes after the last request: the audit log, the events. */
const flushSeconds = 10;

/**
 * Seconds that an API server is given to end: it answers on until load balancers have noticed, then ends watches and waits
 * for other requests, which may take as long as its time limit. Static pods have 30 seconds unless they say otherwise.
 */
export function shutdownSeconds(flags: Flags): number {
  const seconds = (name: string, preset: number): number =>
    Math.ceil((parseDuration(flags[name] ?? '')?.millis ?? preset * 1000) / 1000);
  const requests = Math.max(seconds('request-timeout', 60), seconds('shutdown-watch-termination-grace-period', 0));
  return seconds('shutdown-delay-duration', 0) + requests + flushSeconds;
}

/** The patch that gives an API server this time. */
export const shutdownPatch = (flags: Flags): MachineFile =>
  plainFile(
    `${patchesFolder}/kube-apiserver0+strategic.yaml`,
    yamlText({ spec: { terminationGracePeriodSeconds: shutdownSeconds(flags) } }),
  );

/** Kubelet shutdown settings of a control plane node, which waits as long when its machine is shut down. */
export function withShutdownGracePeriod(kubelet: KubeletSpec, flags: Flags): KubeletSpec {
  const critical = shutdownSeconds(flags);
  const periods = { shutdownGracePeriod: `${critical + 40}s`, shutdownGracePeriodCriticalPods: `${critical}s` };
  return { ...kubelet, overrides: { ...periods, ...kubelet.overrides } };
}
