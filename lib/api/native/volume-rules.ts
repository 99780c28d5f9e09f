import { formatQuantity, parseQuantity } from '../values/quantity';
import { type ValidationRule } from '../rules/validation-rule';
import { volumeImageReference } from './container-reference-rules';
import * as forms from './forms';
import { type NativeCheck, type FieldLimits, type TypeRules } from './overlay';
import { atMostOne, clientOnly, entriesIn, exactlyOne, listIn, objectIn, type Self } from './rule-forms';
import { structureTexts } from './structures.generated';

const named: FieldLimits = { minLength: 1 };
const mode: FieldLimits = { minimum: 0, maximum: 0o777 };
const rareFile: FieldLimits = { form: forms.filePath, client: true };

const className: FieldLimits = {
  client: true,
  form: { ...forms.dnsSubdomain, pattern: `^(${forms.dnsSubdomain.pattern.slice(1, -1)})?$` },
};
const claimMetadata: FieldLimits = { only: ['labels', 'annotations'] };

const storage: ValidationRule = {
  name: 'claim-asks-for-storage',
  cel: "has(self.resources) && has(self.resources.requests) && 'storage' in self.resources.requests",
  reason: 'is missing; a claim requires it',
  remedy: 'set resources.requests.storage, such as 10Gi',
  fieldPath: ['resources'],
  code: 'required',
  find: (self) => {
    const requests = objectIn(objectIn(self, 'resources'), 'requests');
    return requests['storage'] === undefined ? [['resources', 'requests', 'storage']] : [];
  },
};

const oncePodAlone: ValidationRule = {
  name: 'once-pod-alone',
  cel: "!has(self.accessModes) || self.accessModes.size() < 2 || !('ReadWriteOncePod' in self.accessModes)",
  reason: 'must not combine ReadWriteOncePod with other modes',
  remedy: 'use only ReadWriteOncePod',
  fieldPath: ['accessModes'],
  holds: (self) => {
    const modes = self['accessModes'];
    return !Array.isArray(modes) || modes.length < 2 || !modes.includes('ReadWriteOncePod');
  },
};

const someStorage: NativeCheck = {
  name: 'claim-storage-positive',
  check: (self, report) => {
    const amount = objectIn(objectIn(self, 'resources'), 'requests')['storage'];
    const quantity = typeof amount === 'string' || typeof amount === 'number' ? parseQuantity(amount) : undefined;
    if (quantity !== undefined && quantity.nanos === 0n) {
      report('out-of-range', ['resources', 'requests', 'storage'], 'is zero', 'request more than 0', String(amount));
    }
  },
};

const apiGroup: FieldLimits = { ...className, client: true };

const claimWithoutGroup: NativeCheck = {
  name: 'core-source-is-claim',
  check: ({ apiGroup: group = '', kind }, report) => {
    if (group !== '' || typeof kind !== 'string' || kind === 'PersistentVolumeClaim') return;
    report(
      'unsupported-value',
      ['kind'],
      'must be a PersistentVolumeClaim if apiGroup is empty',
      'use PersistentVolumeClaim, or set apiGroup',
      kind,
    );
  },
};

const secretOfDriver: NativeCheck = {
  name: 'driver-secret-has-name',
  check: (self, report) => {
    const reference = self['nodePublishSecretRef'];
    if (reference === undefined || objectIn(self, 'nodePublishSecretRef')['name']) return;
    report('required', ['nodePublishSecretRef', 'name'], 'is missing', 'set the name of the Secret');
  },
};

const podFieldOnly: ValidationRule = {
  name: 'file-field-is-metadata',
  cel: "!has(self.fieldRef) || self.fieldRef.fieldPath.startsWith('metadata.')",
  reason: 'cannot be written to a file',
  remedy: 'use a field of metadata, or an environment variable',
  fieldPath: ['fieldRef', 'fieldPath'],
  code: 'unsupported-value',
  holds: (self) => {
    const path = objectIn(self, 'fieldRef')['fieldPath'];
    return typeof path !== 'string' || path.startsWith('metadata.');
  },
};

const fileNamesContainer: ValidationRule = {
  name: 'file-resource-names-container',
  cel: "!has(self.resourceFieldRef) || (has(self.resourceFieldRef.containerName) && self.resourceFieldRef.containerName != '')",
  reason: 'must be set; files do not belong to a container',
  remedy: 'set the name of a container',
  fieldPath: ['resourceFieldRef', 'containerName'],
  code: 'required',
  holds: (self) =>
    self['resourceFieldRef'] === undefined || Boolean(objectIn(self, 'resourceFieldRef')['containerName']),
};

const divisors = new Set(['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei']);

const divisor: NativeCheck = {
  name: 'resource-divisor',
  check: (self, report) => {
    const given = self['divisor'];
    const quantity = typeof given === 'string' || typeof given === 'number' ? parseQuantity(given) : undefined;
    if (quantity === undefined || quantity.nanos === 0n) return;
    const cpu = String(self['resource']).endsWith('.cpu');
    const text = formatQuantity(quantity);
    if (cpu ? text === '1' || text === '1m' : divisors.has(text)) return;
    const choice = cpu ? '1 or 1m' : [...divisors].join(', ');
    report('unsupported-value', ['divisor'], 'is not a valid divisor of this resource', `use ${choice}`, String(given));
  },
};

const projectedPaths: NativeCheck = {
  name: 'projected-paths-differ',
  check: (self, report) => {
    const seen = new Set<string>();
    for (const [index, source] of entriesIn(self, 'sources')) {
      for (const path of pathsOf(source)) {
        if (seen.has(path))
          report('duplicate', ['sources', index], `writes "${path}", as an earlier source does`, 'use another path');
        seen.add(path);
      }
    }
  },
};

function pathsOf(source: Self): readonly string[] {
  const files = ['secret', 'configMap', 'downwardAPI'].flatMap((kind) => listIn(source[kind], 'items'));
  const certificate = objectIn(source, 'podCertificate');
  return [
    ...files.map((file) => file['path']),
    objectIn(source, 'clusterTrustBundle')['path'],
    certificate['credentialBundlePath'],
    certificate['keyPath'],
    certificate['certificateChainPath'],
  ].filter((path): path is string => typeof path === 'string');
}

const sources = Object.keys(structureTexts.Volume).filter((field) => field !== 'name');

const keyed: TypeRules = { required: ['name'], fields: { name: named } };

/** Rules for volumes, their sources and claims. */
export const volumeRules: Readonly<Record<string, TypeRules>> = {
  Volume: {
    fields: { name: { form: forms.dnsLabel } },
    // Without a source the API server defaults to an emptyDir.
    count: { maxProperties: 2 },
    rules: [clientOnly(atMostOne('one-volume-source', sources))],
  },
  ImageVolumeSource: { checks: [volumeImageReference] },
  EmptyDirVolumeSource: { fields: { sizeLimit: { minimum: 0 } } },
  HostPathVolumeSource: { fields: { path: { form: forms.plainPath, minLength: 1 } } },
  SecretVolumeSource: { required: ['secretName'], fields: { secretName: named, defaultMode: mode } },
  ConfigMapVolumeSource: { required: ['name'], fields: { name: named, defaultMode: mode } },
  DownwardAPIVolumeSource: { fields: { defaultMode: mode } },
  KeyToPath: { fields: { key: named, path: { form: forms.filePath }, mode } },
  DownwardAPIVolumeFile: {
    fields: { path: { form: forms.filePath }, mode },
    // A pod may have many files: CEL rules for them would exceed the cost limit of a CRD.
    rules: [exactlyOne('one-file-source', ['fieldRef', 'resourceFieldRef']), podFieldOnly, fileNamesContainer].map(
      clientOnly,
    ),
  },
  ResourceFieldSelector: { fields: { resource: { form: forms.containerResource, client: true } }, checks: [divisor] },
  ProjectedVolumeSource: { fields: { defaultMode: mode, sources: { maxItems: 64 } }, checks: [projectedPaths] },
  VolumeProjection: {
    count: { maxProperties: 1 },
    rules: [clientOnly(atMostOne('one-projection', Object.keys(structureTexts.VolumeProjection)))],
  },
  ConfigMapProjection: keyed,
  SecretProjection: keyed,
  ServiceAccountTokenProjection: {
    fields: { expirationSeconds: { minimum: 600, maximum: 2 ** 32 }, path: { form: forms.filePath } },
  },
  ClusterTrustBundleProjection: {
    fields: { name: named, signerName: named, path: rareFile },
    rules: [clientOnly(exactlyOne('bundle-name-or-signer', ['name', 'signerName']))],
  },
  PodCertificateProjection: {
    fields: {
      signerName: named,
      keyType: { client: true, enum: ['RSA3072', 'RSA4096', 'ECDSAP256', 'ECDSAP384', 'ECDSAP521', 'ED25519'] },
      maxExpirationSeconds: { minimum: 3600, maximum: 7_862_400 },
      credentialBundlePath: rareFile,
      keyPath: rareFile,
      certificateChainPath: rareFile,
    },
  },
  PersistentVolumeClaimVolumeSource: { fields: { claimName: named } },
  NFSVolumeSource: { fields: { server: named, path: { form: { pattern: '^/', what: 'an absolute path' } } } },
  CSIVolumeSource: {
    fields: {
      driver: {
        form: {
          pattern: '^[A-Za-z0-9]([-A-Za-z0-9]*[A-Za-z0-9])?(\\.[A-Za-z0-9]([-A-Za-z0-9]*[A-Za-z0-9])?)*$',
          what: 'the name of a driver',
          maxLength: 63,
        },
      },
    },
    checks: [secretOfDriver],
  },
  GitRepoVolumeSource: { fields: { repository: named, directory: { form: forms.descendingPath } } },
  EphemeralVolumeSource: { required: ['volumeClaimTemplate'] },
  PersistentVolumeClaimTemplate: { fields: { metadata: claimMetadata } },
  PersistentVolumeClaimSpec: {
    required: ['accessModes'],
    fields: {
      accessModes: { minItems: 1, maxItems: 8 },
      storageClassName: className,
      volumeAttributesClassName: className,
    },
    rules: [storage, oncePodAlone],
    checks: [someStorage],
  },
  TypedLocalObjectReference: { fields: { apiGroup, kind: named, name: named }, checks: [claimWithoutGroup] },
  TypedObjectReference: { fields: { apiGroup, kind: named, name: named }, checks: [claimWithoutGroup] },
};
