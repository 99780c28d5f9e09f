import { type ValidationRule } from '../rules/validation-rule';
import { containersOf } from './container-rules';
import * as forms from './forms';
import { type NativeCheck, type FieldLimits, type TypeRules } from './overlay';
import { fileVolumes, mountsNameVolumes, resourceClaims } from './pod-reference-rules';
import { podResources } from './pod-resource-rules';
import { hostnameOverride, operatingSystem, resizeOfInitContainers } from './pod-system-rules';
import { entriesIn, listIn, objectIn, placesIn, type Self } from './rule-forms';

const subdomain: FieldLimits = { form: forms.dnsSubdomain };
const label: FieldLimits = { form: forms.dnsLabel };

/** Labels of an object. */
const labels: FieldLimits = { keyForm: forms.qualifiedName, items: { form: forms.labelValueForm } };
const annotations: FieldLimits = { keyForm: forms.annotationName };

const namesDiffer: ValidationRule = {
  name: 'container-names-differ',
  cel: '!has(self.initContainers) || self.initContainers.all(i, !self.containers.exists(c, c.name == i.name))',
  reason: 'duplicates the name of a container',
  remedy: 'use unique container names',
  fieldPath: ['initContainers'],
  code: 'duplicate',
  find: (self) => {
    if (self['initContainers'] === undefined) return [];
    const names = new Set(listIn(self, 'containers').map((container) => container['name']));
    return placesIn(self, 'initContainers', ['name'], (container) => names.has(container['name']));
  },
};

const onlySidecars = ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'];

const probesOfSidecars: ValidationRule = {
  name: 'probes-need-a-sidecar',
  cel:
    "!has(self.initContainers) || self.initContainers.all(c, (has(c.restartPolicy) && c.restartPolicy == 'Always') || (" +
    `${onlySidecars.map((field) => `!has(c.${field})`).join(' && ')}))`,
  reason: 'is only supported for init containers with restartPolicy: Always',
  remedy: 'remove it, or make the container a sidecar with restartPolicy: Always',
  fieldPath: ['initContainers'],
  find: (self) =>
    onlySidecars.flatMap((field) =>
      placesIn(self, 'initContainers', [field], (c) => c[field] !== undefined && c['restartPolicy'] !== 'Always'),
    ),
};

const nameserver: ValidationRule = {
  name: 'dns-none-needs-nameserver',
  cel:
    "!has(self.dnsPolicy) || self.dnsPolicy != 'None' || (has(self.dnsConfig) && has(self.dnsConfig.nameservers) && " +
    'self.dnsConfig.nameservers.size() > 0)',
  reason: 'must list a nameserver with dnsPolicy None',
  remedy: 'set dnsConfig.nameservers, or use another dnsPolicy',
  fieldPath: ['dnsConfig'],
  code: 'required',
  holds: (self) => {
    const servers = objectIn(self, 'dnsConfig')['nameservers'];
    return self['dnsPolicy'] !== 'None' || (Array.isArray(servers) && servers.length > 0);
  },
};

const hostPorts: NativeCheck = {
  name: 'host-ports',
  check: (pod, report) => {
    const seen = new Set<string>();
    for (const [list, index, container] of containersOf(pod)) {
      if (container['ports'] === undefined) continue;
      const own = list === 'containers' ? seen : new Set<string>();
      for (const [at, port] of entriesIn(container, 'ports')) {
        const { hostPort, hostIP = '', protocol = 'TCP', containerPort } = port;
        if (typeof hostPort !== 'number' || hostPort === 0) continue;
        const path = [list, index, 'ports', at, 'hostPort'];
        const place = `${String(protocol)}/${String(hostIP)}/${hostPort}`;
        if (own.has(place))
          report('duplicate', path, 'is already used by another port of the pod', 'use another one', hostPort);
        own.add(place);
        if (list === 'containers' && pod['hostNetwork'] === true && hostPort !== containerPort) {
          report(
            'invalid-combination',
            path,
            'must equal containerPort with hostNetwork: true',
            'use the same port',
            hostPort,
          );
        }
      }
    }
  },
};

/** Requirements on containers of a pod with a user namespace. */
const hostUsers: NativeCheck = {
  name: 'host-users',
  check: (pod, report) => {
    const shared = pod['hostUsers'] !== false;
    if (!shared) {
      for (const field of ['hostNetwork', 'hostPID', 'hostIPC']) {
        if (pod[field] === true)
          report(
            'invalid-combination',
            [field],
            'cannot be combined with hostUsers: false',
            `remove ${field} or hostUsers`,
          );
      }
    }
    if (pod['shareProcessNamespace'] === true && pod['hostPID'] === true) {
      report(
        'invalid-combination',
        ['shareProcessNamespace'],
        'cannot be combined with hostPID',
        'set only one of them',
      );
    }
    for (const [list, index, container] of containersOf(pod)) checkUsers(container, [list, index], shared, report);
  },
};

function checkUsers(
  container: Self,
  place: readonly [string, number],
  shared: boolean,
  report: Parameters<NativeCheck['check']>[1],
): void {
  if (shared && objectIn(container, 'securityContext')['procMount'] === 'Unmasked') {
    report(
      'invalid-combination',
      [...place, 'securityContext', 'procMount'],
      'needs hostUsers: false',
      'set hostUsers: false for the pod',
    );
  }
  if (!shared && listIn(container, 'volumeDevices').length > 0) {
    report(
      'invalid-combination',
      [...place, 'volumeDevices'],
      'cannot be combined with hostUsers: false',
      'mount the volume as a file system',
    );
  }
}

const sleepWithinGrace: NativeCheck = {
  name: 'sleep-within-grace',
  check: (pod, report) => {
    const { terminationGracePeriodSeconds: grace = 30 } = pod;
    if (typeof grace !== 'number') return;
    for (const [list, index, container] of containersOf(pod)) {
      for (const hook of ['preStop', 'postStart']) {
        const seconds = objectIn(objectIn(objectIn(container, 'lifecycle'), hook), 'sleep')['seconds'];
        if (typeof seconds !== 'number' || seconds <= grace) continue;
        const path = [list, index, 'lifecycle', hook, 'sleep', 'seconds'];
        report(
          'out-of-range',
          path,
          `is longer than the grace period of ${grace} s`,
          'sleep less, or lengthen the grace period',
          seconds,
        );
      }
    }
  },
};

/** Rules for pods and object metadata. */
export const podRules: Readonly<Record<string, TypeRules>> = {
  PodSpec: {
    fields: {
      containers: { minItems: 1, maxItems: 64 },
      initContainers: { maxItems: 64 },
      ephemeralContainers: { maxItems: 0 },
      volumes: { maxItems: 128 },
      tolerations: { maxItems: 64 },
      topologySpreadConstraints: { maxItems: 32 },
      imagePullSecrets: { maxItems: 32 },
      hostAliases: { maxItems: 128 },
      resourceClaims: { maxItems: 32 },
      readinessGates: { maxItems: 32 },
      schedulingGates: { maxItems: 32 },
      nodeSelector: { ...labels, maxProperties: 64 },
      hostname: label,
      subdomain: label,
      nodeName: subdomain,
      serviceAccountName: subdomain,
      serviceAccount: subdomain,
      hostnameOverride: { form: { ...forms.dnsSubdomain, maxLength: 64 } },
      priorityClassName: subdomain,
      runtimeClassName: subdomain,
      activeDeadlineSeconds: { minimum: 1, maximum: 2_147_483_647 },
      terminationGracePeriodSeconds: { minimum: 0 },
      overhead: { maxProperties: 32, items: { minimum: 0 } },
    },
    rules: [namesDiffer, probesOfSidecars, nameserver],
    checks: [
      ...[
        mountsNameVolumes,
        hostPorts,
        fileVolumes,
        resourceClaims,
        hostUsers,
        sleepWithinGrace,
        podResources,
        operatingSystem,
      ],
      ...[hostnameOverride, resizeOfInitContainers],
    ],
  },
  PodOS: { fields: { name: { enum: ['linux', 'windows'] } } },
  PodReadinessGate: { fields: { conditionType: { form: forms.qualifiedName } } },
  PodSchedulingGate: { fields: { name: { form: forms.qualifiedName } } },
  HostAlias: { fields: { ip: { form: forms.ipAddress }, hostnames: { maxItems: 64, items: subdomain } } },
  PodDNSConfig: {
    fields: {
      nameservers: { maxItems: 3, items: { form: forms.ipAddress } },
      searches: { maxItems: 32, items: { form: forms.searchDomain } },
    },
  },
  PodDNSConfigOption: { required: ['name'], fields: { name: { minLength: 1 } } },
  ObjectMeta: {
    fields: {
      labels: { ...labels, maxProperties: 64 },
      annotations: { ...annotations, maxProperties: 64, items: { maxLength: 16384 } },
    },
  },
};
