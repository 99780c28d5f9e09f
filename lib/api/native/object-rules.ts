import { isPlainObject } from '../values/plain-object';
import * as forms from './forms';
import { type NativeCheck, type FieldLimits, type TypeRules } from './overlay';
import { exactlyOne, listIn, notBoth, objectIn, type Self } from './rule-forms';

const count: FieldLimits = { minimum: 0 };
const port: FieldLimits = { minimum: 1, maximum: 65535 };
const key: FieldLimits = { keyForm: forms.configKey };

/** Requires a restart policy that the kind allows. */
const restartOf = (allowed: readonly string[], preset: string): NativeCheck => ({
  name: 'restart-policy-of-kind',
  check: (self, report) => {
    const pod = objectIn(objectIn(self, 'template'), 'spec');
    const { restartPolicy = preset } = pod;
    if (typeof restartPolicy !== 'string' || allowed.includes(restartPolicy)) return;
    const list = allowed.join(' or ');
    report(
      'unsupported-value',
      ['template', 'spec', 'restartPolicy'],
      `must be ${list} in this kind`,
      `use ${list}`,
      restartPolicy,
    );
  },
});

/** Requires that a controller selects the pods that it creates. */
const selectsItsPods: NativeCheck = {
  name: 'selector-matches-template',
  check: (self, report) => {
    const labels = objectIn(objectIn(objectIn(self, 'template'), 'metadata'), 'labels');
    const selected = objectIn(objectIn(self, 'selector'), 'matchLabels');
    for (const [name, value] of Object.entries(selected)) {
      if (labels[name] === value) continue;
      report(
        'invalid-combination',
        ['selector', 'matchLabels', name],
        'is not a label of the template',
        'add the label to the template',
      );
    }
  },
};

const minBelowMax: NativeCheck = {
  name: 'min-below-max',
  check: ({ minReplicas, maxReplicas }, report) => {
    if (typeof minReplicas !== 'number' || typeof maxReplicas !== 'number' || minReplicas <= maxReplicas) return;
    report(
      'invalid-combination',
      ['minReplicas'],
      'is more than maxReplicas',
      'lower it, or raise maxReplicas',
      minReplicas,
    );
  },
};

const blockAlone: NativeCheck = {
  name: 'ip-block-alone',
  check: (self: Self, report) => {
    if (self['ipBlock'] === undefined || (self['podSelector'] === undefined && self['namespaceSelector'] === undefined))
      return;
    report('invalid-combination', ['ipBlock'], 'cannot be combined with a selector', 'add a separate peer');
  },
};

const namedPorts: NativeCheck = {
  name: 'service-ports-are-named',
  check: ({ ports }, report) => {
    if (!Array.isArray(ports) || ports.length < 2) return;
    const seen = new Set<unknown>();
    ports.forEach((entry: unknown, index) => {
      const name = isPlainObject(entry) ? entry['name'] : undefined;
      if (name === undefined)
        report('required', ['ports', index, 'name'], 'is required with several ports', 'name each port');
      else if (seen.has(name))
        report(
          'duplicate',
          ['ports', index, 'name'],
          'duplicates an earlier port name',
          'use unique port names',
          String(name),
        );
      seen.add(name);
    });
  },
};

/** Returns the names of a set's claims, which its pods mount. */
const claimNames = (self: Self): readonly string[] =>
  listIn(self, 'volumeClaimTemplates').map((claim) => String(objectIn(claim, 'metadata')['name']));

const always: readonly NativeCheck[] = [restartOf(['Always'], 'Always'), selectsItsPods];

/** Rules for objects with pod templates, and of related objects. */
export const objectRules: Readonly<Record<string, TypeRules>> = {
  ConfigMap: { fields: { data: key, binaryData: key } },
  Secret: { fields: { data: key, stringData: { ...key, items: { secret: true } } } },
  DeploymentSpec: {
    fields: { replicas: count, minReadySeconds: count, revisionHistoryLimit: count, progressDeadlineSeconds: count },
    checks: always,
  },
  StatefulSetSpec: {
    fields: { replicas: count, minReadySeconds: count, revisionHistoryLimit: count },
    checks: always,
    volumes: claimNames,
  },
  DaemonSetSpec: { fields: { minReadySeconds: count, revisionHistoryLimit: count }, checks: always },
  JobSpec: {
    fields: {
      parallelism: count,
      completions: count,
      backoffLimit: count,
      backoffLimitPerIndex: count,
      maxFailedIndexes: count,
      activeDeadlineSeconds: count,
      ttlSecondsAfterFinished: count,
    },
    checks: [restartOf(['Never', 'OnFailure'], 'Always')],
  },
  CronJobSpec: {
    fields: { startingDeadlineSeconds: count, successfulJobsHistoryLimit: count, failedJobsHistoryLimit: count },
  },
  ServiceSpec: {
    fields: { trafficDistribution: { enum: ['PreferClose', 'PreferSameZone', 'PreferSameNode'] } },
    checks: [namedPorts],
  },
  PodFailurePolicyOnPodConditionsPattern: {
    fields: { type: { form: forms.qualifiedName }, status: { enum: ['True', 'False', 'Unknown'] } },
  },
  ServicePort: {
    fields: {
      name: { form: forms.dnsLabel },
      port,
      targetPort: { ...port, form: forms.portName },
      nodePort: { minimum: 0, maximum: 65535 },
    },
  },
  IngressBackend: { rules: [exactlyOne('one-ingress-backend', ['service', 'resource'])] },
  IngressServiceBackend: { required: ['port'] },
  ServiceBackendPort: { rules: [exactlyOne('one-backend-port', ['name', 'number'])] },
  HorizontalPodAutoscalerSpec: { fields: { minReplicas: count, maxReplicas: { minimum: 1 } }, checks: [minBelowMax] },
  PodDisruptionBudgetSpec: { rules: [notBoth('one-disruption-bound', 'minAvailable', 'maxUnavailable')] },
  NetworkPolicyPeer: { checks: [blockAlone] },
  NetworkPolicyPort: { fields: { port: { ...port, form: forms.portName }, endPort: port } },
};
