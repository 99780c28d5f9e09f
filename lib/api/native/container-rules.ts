import { isPlainObject } from '../values/plain-object';
import { type ValidationRule } from '../rules/validation-rule';
import { imageReference, probePorts } from './container-reference-rules';
import * as forms from './forms';
import { type NativeCheck, type FieldLimits, type TypeRules } from './overlay';
import { checkResources } from './resource-rules';
import { clientOnly, entriesIn, exactlyOne, listIn, notBoth, objectIn, placesIn, type Self } from './rule-forms';

const named: FieldLimits = { minLength: 1 };

const restartRulesNeedPolicy: ValidationRule = {
  name: 'restart-rules-need-policy',
  cel: '!has(self.restartPolicyRules) || self.restartPolicyRules.size() == 0 || has(self.restartPolicy)',
  reason: 'must be set if restartPolicyRules are set',
  remedy: 'set restartPolicy to Never or OnFailure',
  fieldPath: ['restartPolicy'],
  code: 'required',
  holds: (self) => listIn(self, 'restartPolicyRules').length === 0 || self['restartPolicy'] !== undefined,
};

const successOnce = (probe: string): ValidationRule => ({
  name: `${probe}-success-threshold`,
  cel: `!has(self.${probe}) || !has(self.${probe}.successThreshold) || self.${probe}.successThreshold <= 1`,
  reason: 'must be 1 here',
  remedy: 'omit successThreshold; only readiness probes support other values',
  fieldPath: [probe, 'successThreshold'],
  code: 'out-of-range',
  holds: (self) => {
    const threshold = objectIn(self, probe)['successThreshold'];
    return typeof threshold !== 'number' || threshold <= 1;
  },
});

const readinessGrace: ValidationRule = {
  name: 'readiness-has-no-grace',
  cel: '!has(self.readinessProbe) || !has(self.readinessProbe.terminationGracePeriodSeconds)',
  reason: 'is not supported for readiness probes',
  remedy: 'omit terminationGracePeriodSeconds in the readiness probe',
  fieldPath: ['readinessProbe', 'terminationGracePeriodSeconds'],
  holds: (self) => objectIn(self, 'readinessProbe')['terminationGracePeriodSeconds'] === undefined,
};

const bidirectional: ValidationRule = {
  name: 'bidirectional-needs-privileged',
  cel:
    '!has(self.volumeMounts) || (has(self.securityContext) && has(self.securityContext.privileged) && self.securityContext.privileged) || ' +
    "self.volumeMounts.all(m, !has(m.mountPropagation) || m.mountPropagation != 'Bidirectional')",
  reason: 'is only supported for privileged containers',
  remedy: 'use HostToContainer or None',
  fieldPath: ['volumeMounts'],
  where: 'client',
  find: (self) => {
    if (objectIn(self, 'securityContext')['privileged'] === true) return [];
    return placesIn(
      self,
      'volumeMounts',
      ['mountPropagation'],
      (mount) => mount['mountPropagation'] === 'Bidirectional',
    );
  },
};

const portNames: NativeCheck = {
  name: 'unique-port-names',
  check: (self, report) => {
    if (listIn(self, 'ports').length < 2) return;
    const seen = new Set<unknown>();
    for (const [index, port] of entriesIn(self, 'ports')) {
      const name = port['name'];
      if (typeof name !== 'string') continue;
      if (seen.has(name))
        report('duplicate', ['ports', index, 'name'], 'duplicates an earlier port name', 'use unique port names', name);
      seen.add(name);
    }
  },
};

const devices: NativeCheck = {
  name: 'mounts-and-devices-differ',
  check: (self, report) => {
    if (self['volumeDevices'] === undefined) return;
    const mounts = listIn(self, 'volumeMounts');
    const seen = new Set<unknown>();
    for (const [index, device] of entriesIn(self, 'volumeDevices')) {
      const { name, devicePath } = device;
      const place = ['volumeDevices', index] as const;
      if (seen.has(name))
        report('duplicate', [...place, 'name'], 'duplicates an earlier device', 'use each volume once', String(name));
      seen.add(name);
      if (mounts.some((mount) => mount['name'] === name)) {
        report(
          'invalid-combination',
          [...place, 'name'],
          'is also mounted as a file system',
          'use the volume as a device or as a file system',
        );
      }
      if (mounts.some((mount) => mount['mountPath'] === devicePath)) {
        report('invalid-combination', [...place, 'devicePath'], 'is also a mount path', 'use another path');
      }
    }
  },
};

/** Limits and rules for a container, in any list. */
const container: TypeRules = {
  required: ['image'],
  fields: {
    name: { form: forms.dnsLabel },
    image: { form: forms.imageName, minLength: 1 },
    restartPolicy: { enum: ['Always', 'Never', 'OnFailure'] },
    restartPolicyRules: { maxItems: 20 },
    env: { maxItems: 500 },
    envFrom: { maxItems: 64 },
    ports: { maxItems: 64 },
    resizePolicy: { maxItems: 8, keys: ['resourceName'] },
    volumeMounts: { maxItems: 128 },
    volumeDevices: { maxItems: 32 },
  },
  rules: [
    restartRulesNeedPolicy,
    successOnce('livenessProbe'),
    successOnce('startupProbe'),
    readinessGrace,
    bidirectional,
  ],
  checks: [portNames, devices, { name: 'container-resources', check: checkResources }, imageReference, probePorts],
};

const port: FieldLimits = { minimum: 1, maximum: 65535 };

const envValueOnce: ValidationRule = {
  ...notBoth('env-value-or-source', 'value', 'valueFrom'),
  cel: "!has(self.value) || !has(self.valueFrom) || self.value == ''",
  holds: (self) => self['value'] === undefined || self['valueFrom'] === undefined || self['value'] === '',
};

const wholeMapInEnv: ValidationRule = {
  name: 'env-field-is-text',
  cel: "!has(self.fieldRef) || !(self.fieldRef.fieldPath in ['metadata.labels', 'metadata.annotations'])",
  reason: 'is a map, which an environment variable cannot hold',
  remedy: "name one entry: metadata.labels['app']",
  fieldPath: ['fieldRef', 'fieldPath'],
  code: 'unsupported-value',
  holds: (self) =>
    !['metadata.labels', 'metadata.annotations'].includes(String(objectIn(self, 'fieldRef')['fieldPath'])),
};

const readOnlyThrough: ValidationRule = {
  name: 'recursive-read-only',
  cel:
    "!has(self.recursiveReadOnly) || self.recursiveReadOnly == 'Disabled' || " +
    "(has(self.readOnly) && self.readOnly && (!has(self.mountPropagation) || self.mountPropagation == 'None'))",
  reason: 'needs readOnly: true and no mount propagation',
  remedy: 'set readOnly: true and omit mountPropagation',
  fieldPath: ['recursiveReadOnly'],
  holds: (self) => {
    const { recursiveReadOnly: mode, mountPropagation: propagation = 'None' } = self;
    return mode === undefined || mode === 'Disabled' || (self['readOnly'] === true && propagation === 'None');
  },
};

const keySelector: TypeRules = {
  required: ['name'],
  fields: { name: { form: forms.dnsSubdomain }, key: { form: forms.configKey } },
};

const envSource: TypeRules = { required: ['name'], fields: { name: { form: forms.dnsSubdomain } } };

/** Rules for containers and their nested types. */
export const containerRules: Readonly<Record<string, TypeRules>> = {
  Container: container,
  EphemeralContainer: container,
  ContainerPort: {
    fields: {
      containerPort: port,
      hostPort: { minimum: 0, maximum: 65535 },
      name: { form: forms.portName },
    },
  },
  ContainerResizePolicy: {
    fields: { resourceName: { enum: ['cpu', 'memory'] }, restartPolicy: { enum: ['NotRequired', 'RestartContainer'] } },
  },
  ContainerRestartRule: {
    required: ['exitCodes'],
    fields: { action: { enum: ['Restart', 'RestartAllContainers'] } },
  },
  ContainerRestartRuleOnExitCodes: { fields: { operator: { enum: ['In', 'NotIn'] }, values: { maxItems: 255 } } },
  EnvVar: { fields: { name: { form: forms.envName }, value: { secret: true } }, rules: [envValueOnce] },
  EnvVarSource: {
    // A count instead of CEL: there may be 500 in each of 128 containers, and several pods in one resource.
    count: { minProperties: 1, maxProperties: 1 },
    rules: [
      clientOnly(
        exactlyOne('one-env-source', ['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef', 'fileKeyRef']),
      ),
      clientOnly(wholeMapInEnv),
    ],
  },
  EnvFromSource: {
    fields: { prefix: { form: forms.envPrefix } },
    rules: [exactlyOne('one-env-from-source', ['configMapRef', 'secretRef'])],
  },
  ConfigMapEnvSource: envSource,
  SecretEnvSource: envSource,
  ConfigMapKeySelector: keySelector,
  SecretKeySelector: keySelector,
  FileKeySelector: {
    fields: {
      key: { form: forms.envName, client: true },
      volumeName: { form: forms.dnsLabel, client: true },
      path: { form: forms.plainPath, minLength: 1, client: true },
    },
  },
  ObjectFieldSelector: { fields: { apiVersion: { enum: ['v1'] }, fieldPath: { form: forms.podField, client: true } } },

  VolumeMount: {
    fields: {
      name: named,
      mountPath: named,
      subPath: { form: forms.descendingPath },
      subPathExpr: { form: forms.descendingPath },
      recursiveReadOnly: { enum: ['Disabled', 'IfPossible', 'Enabled'] },
    },
    rules: [notBoth('one-sub-path', 'subPath', 'subPathExpr'), readOnlyThrough],
  },
  VolumeDevice: { fields: { name: named, devicePath: { form: forms.plainPath, minLength: 1 } } },
};

/** Yields the containers of a pod with their paths. */
export function* containersOf(pod: Self): Generator<readonly [string, number, Self]> {
  for (const list of ['containers', 'initContainers']) {
    for (const [index, entry] of entriesIn(pod, list)) if (isPlainObject(entry)) yield [list, index, entry];
  }
}
