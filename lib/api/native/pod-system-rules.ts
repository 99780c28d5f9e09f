import { containersOf } from './container-rules';
import { type NativeCheck } from './overlay';
import { entriesIn, objectIn, type Self } from './rule-forms';

const notOnWindows = {
  pod: ['hostUsers', 'hostPID', 'hostIPC', 'shareProcessNamespace', 'resources'],
  security: [
    ...[
      'appArmorProfile',
      'seLinuxOptions',
      'seccompProfile',
      'fsGroup',
      'fsGroupChangePolicy',
      'sysctls',
      'runAsUser',
      'runAsGroup',
    ],
    ...['supplementalGroups', 'supplementalGroupsPolicy', 'seLinuxChangePolicy'],
  ],
  container: [
    ...['appArmorProfile', 'seLinuxOptions', 'seccompProfile', 'capabilities', 'readOnlyRootFilesystem', 'privileged'],
    ...['allowPrivilegeEscalation', 'procMount', 'runAsUser', 'runAsGroup'],
  ],
} as const;

/** Rejects fields that the operating system of a pod does not support. */
export const operatingSystem: NativeCheck = {
  name: 'operating-system',
  check: (pod, report) => {
    const system = objectIn(pod, 'os')['name'];
    const refuse = (place: readonly (string | number)[], self: Self, fields: readonly string[]): void => {
      for (const field of fields) {
        if (self[field] === undefined || self[field] === false) continue;
        report(
          'invalid-combination',
          [...place, field],
          `cannot be combined with os.name: ${String(system)}`,
          'remove it, or use another os.name',
        );
      }
    };
    for (const [list, index, container] of containersOf(pod)) {
      if (system === undefined) refuseSignal(container, [list, index], report);
      const security = objectIn(container, 'securityContext');
      if (system === 'linux') refuse([list, index, 'securityContext'], security, ['windowsOptions']);
      if (system === 'windows') refuse([list, index, 'securityContext'], security, notOnWindows.container);
    }
    if (system === 'linux') refuse(['securityContext'], objectIn(pod, 'securityContext'), ['windowsOptions']);
    if (system === 'windows') {
      refuse([], pod, notOnWindows.pod);
      refuse(['securityContext'], objectIn(pod, 'securityContext'), notOnWindows.security);
    }
  },
};

function refuseSignal(
  container: Self,
  place: readonly [string, number],
  report: Parameters<NativeCheck['check']>[1],
): void {
  if (objectIn(container, 'lifecycle')['stopSignal'] === undefined) return;
  report(
    'invalid-combination',
    [...place, 'lifecycle', 'stopSignal'],
    'needs os.name',
    'set os.name: linux for the pod',
  );
}

/** Rejects two fields that cannot be combined with a host name override. */
export const hostnameOverride: NativeCheck = {
  name: 'hostname-override',
  check: (pod, report) => {
    if (pod['hostnameOverride'] === undefined) return;
    for (const field of ['setHostnameAsFQDN', 'hostNetwork']) {
      if (pod[field] === true)
        report('invalid-combination', ['hostnameOverride'], `cannot be combined with ${field}`, 'set only one of them');
    }
  },
};

/** Rejects a restart on resize for containers that do not keep running. */
export const resizeOfInitContainers: NativeCheck = {
  name: 'resize-of-init-containers',
  check: (pod, report) => {
    for (const [index, container] of entriesIn(pod, 'initContainers')) {
      if (container['restartPolicy'] === 'Always') continue;
      for (const [at, { restartPolicy }] of entriesIn(container, 'resizePolicy')) {
        if (restartPolicy !== 'RestartContainer') continue;
        const path = ['initContainers', index, 'resizePolicy', at, 'restartPolicy'];
        report(
          'invalid-combination',
          path,
          'is only supported for containers that keep running',
          'use NotRequired',
          restartPolicy,
        );
      }
    }
  },
};
