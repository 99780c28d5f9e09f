import { type ValidationRule } from '../rules/validation-rule';
import { type FieldLimits, type TypeRules } from './overlay';
import { clientOnly, exactlyOne } from './rule-forms';

const named: FieldLimits = { minLength: 1 };
const some: FieldLimits = { minItems: 1 };

const lunOfTargets: ValidationRule = {
  name: 'fibre-channel-lun',
  cel: '!has(self.targetWWNs) || has(self.lun)',
  reason: 'must be set if targetWWNs are set',
  remedy: 'set lun',
  fieldPath: ['lun'],
  code: 'required',
  where: 'client',
  holds: (self) => self['targetWWNs'] === undefined || self['lun'] !== undefined,
};

/** Rules for volume sources for specific storage systems. */
export const legacyVolumeRules: Readonly<Record<string, TypeRules>> = {
  AWSElasticBlockStoreVolumeSource: { fields: { volumeID: named, partition: { minimum: 0, maximum: 255 } } },
  AzureDiskVolumeSource: { fields: { diskName: named, diskURI: named } },
  AzureFileVolumeSource: { fields: { secretName: named, shareName: named } },
  CephFSVolumeSource: { fields: { monitors: some } },
  CinderVolumeSource: { fields: { volumeID: named } },
  FCVolumeSource: { rules: [clientOnly(exactlyOne('fibre-channel-target', ['targetWWNs', 'wwids'])), lunOfTargets] },
  FlexVolumeSource: { fields: { driver: named } },
  FlockerVolumeSource: { rules: [clientOnly(exactlyOne('flocker-dataset', ['datasetName', 'datasetUUID']))] },
  GCEPersistentDiskVolumeSource: { fields: { pdName: named, partition: { minimum: 0, maximum: 255 } } },
  GlusterfsVolumeSource: { fields: { endpoints: named, path: named } },
  ISCSIVolumeSource: {
    fields: {
      targetPortal: named,
      iqn: {
        form: {
          pattern: '^(iqn\\.[0-9]{4}-[0-9]{2}\\.|eui\\.|naa\\.)',
          what: 'a name that starts with iqn, eui or naa',
        },
      },
      lun: { minimum: 0, maximum: 255 },
    },
  },
  PhotonPersistentDiskVolumeSource: { fields: { pdID: named } },
  PortworxVolumeSource: { fields: { volumeID: named } },
  QuobyteVolumeSource: {
    fields: {
      registry: {
        form: { pattern: '^[^,:]+:[^,:]+(,[^,:]+:[^,:]+)*$', what: 'host:port, or several with commas between' },
      },
      volume: named,
    },
  },
  RBDVolumeSource: { fields: { monitors: some, image: named } },
  ScaleIOVolumeSource: { required: ['volumeName'], fields: { gateway: named, system: named, volumeName: named } },
  StorageOSVolumeSource: {
    required: ['volumeName'],
    fields: {
      volumeName: { form: { pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', what: 'a DNS label', maxLength: 63 } },
    },
  },
  VsphereVirtualDiskVolumeSource: { fields: { volumePath: named } },
};
