import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { toPascalCase } from './aws-response';
import { arnOf, describeResource } from './find-resource';
import { mapping } from './mapping';
import { retag, tagList, tags, tagsOf, tagsOnCreation } from './tags';

/** Boolean that the provider represents as a string. */
const flag = z.enum(['true', 'false']);
const isOn = (text: string): boolean => text === 'true';

const shape = z.strictObject({
  name: z.string(),
  imageId: z.string().startsWith('ami-'),
  instanceType: z.string(),
  ebsOptimized: flag,
  userData: z.base64(),
  updateDefaultVersion: z.boolean(),
  iamInstanceProfile: z.strictObject({ name: z.string() }),
  metadataOptions: z.strictObject({
    httpEndpoint: z.enum(['enabled', 'disabled']),
    httpTokens: z.enum(['required', 'optional']),
    httpPutResponseHopLimit: z.int(),
    instanceMetadataTags: z.enum(['enabled', 'disabled']),
  }),
  monitoring: z.strictObject({ enabled: z.boolean() }),
  blockDeviceMappings: z.array(
    z.strictObject({
      deviceName: z.string(),
      ebs: z.strictObject({
        volumeType: z.enum(['gp3', 'io2']),
        volumeSize: z.int(),
        encrypted: flag,
        deleteOnTermination: flag,
        kmsKeyId: z.string().startsWith('arn:'),
      }),
    }),
  ),
  networkInterfaces: z.array(
    z.strictObject({
      deviceIndex: z.int(),
      associatePublicIpAddress: flag,
      deleteOnTermination: flag,
      securityGroups: z.array(z.string()),
    }),
  ),
  tagSpecifications: z.array(
    z.strictObject({ resourceType: z.enum(['instance', 'volume', 'network-interface']), tags }),
  ),
  tags,
});

/** Returns launch parameters in EC2's format. */
const dataOf = (inputs: z.output<typeof shape>) => ({
  ...toPascalCase({
    imageId: inputs.imageId,
    instanceType: inputs.instanceType,
    userData: inputs.userData,
    iamInstanceProfile: inputs.iamInstanceProfile,
    metadataOptions: inputs.metadataOptions,
    monitoring: inputs.monitoring,
  }),
  EbsOptimized: isOn(inputs.ebsOptimized),
  BlockDeviceMappings: inputs.blockDeviceMappings.map(({ deviceName, ebs }) => ({
    DeviceName: deviceName,
    Ebs: {
      ...toPascalCase(ebs),
      Encrypted: isOn(ebs.encrypted),
      DeleteOnTermination: isOn(ebs.deleteOnTermination),
    },
  })),
  NetworkInterfaces: inputs.networkInterfaces.map((one) => ({
    DeviceIndex: one.deviceIndex,
    AssociatePublicIpAddress: isOn(one.associatePublicIpAddress),
    DeleteOnTermination: isOn(one.deleteOnTermination),
    Groups: one.securityGroups,
  })),
  TagSpecifications: inputs.tagSpecifications.map((one) => ({
    ResourceType: one.resourceType,
    Tags: tagList(one.tags),
  })),
});

/** `aws.ec2.LaunchTemplate`. */
export const launchTemplate = mapping({
  shape,
  immutable: ['name'],
  recomputed: ['latestVersion'],
  dropped: { updateDefaultVersion: 'the provider uses it only when it creates a version' },
  async create(aws, inputs) {
    const created = await aws.call('ec2', 'CreateLaunchTemplate', {
      LaunchTemplateName: inputs.name,
      LaunchTemplateData: dataOf(inputs),
      ...tagsOnCreation('launch-template', inputs.tags),
    });
    return created.text('LaunchTemplate', 'LaunchTemplateId');
  },
  async read(aws, id) {
    const one = await describeResource(aws, 'DescribeLaunchTemplates', { LaunchTemplateIds: [id] }, 'LaunchTemplates');
    if (!one) return undefined;
    const parameters = { LaunchTemplateId: id, Versions: ['$Latest'] };
    const version = await describeResource(aws, 'DescribeLaunchTemplateVersions', parameters, 'LaunchTemplateVersions');
    const data = version?.part('LaunchTemplateData');
    return {
      ...data?.fields('imageId', 'instanceType', 'userData', 'iamInstanceProfile', 'metadataOptions', 'monitoring'),
      ebsOptimized: String(data?.at('EbsOptimized')),
      blockDeviceMappings: data?.list('BlockDeviceMappings').map((device) => ({
        deviceName: device.at('DeviceName'),
        ebs: {
          ...device.part('Ebs').fields('volumeType', 'volumeSize', 'kmsKeyId'),
          encrypted: String(device.at('Ebs', 'Encrypted')),
          deleteOnTermination: String(device.at('Ebs', 'DeleteOnTermination')),
        },
      })),
      networkInterfaces: data?.list('NetworkInterfaces').map((own) => ({
        deviceIndex: own.at('DeviceIndex'),
        associatePublicIpAddress: String(own.at('AssociatePublicIpAddress')),
        deleteOnTermination: String(own.at('DeleteOnTermination')),
        securityGroups: own.at('Groups'),
      })),
      tagSpecifications: data
        ?.list('TagSpecifications')
        // The emulation adds the template's own tags to those of its machines.
        .filter((each) => each.at('ResourceType') !== 'launch-template')
        .map((each) => ({ resourceType: each.at('ResourceType'), tags: tagsOf(each) })),
      name: one.at('LaunchTemplateName'),
      latestVersion: one.at('LatestVersionNumber'),
      defaultVersion: one.at('DefaultVersionNumber'),
      tags: tagsOf(one),
      arn: arnOf(aws, 'launch-template', id),
    };
  },
  async update(aws, id, inputs, before) {
    const data = dataOf(inputs);
    if (!isDeepStrictEqual(data, dataOf(before))) {
      const parameters = { LaunchTemplateId: id, LaunchTemplateData: data };
      const created = await aws.call('ec2', 'CreateLaunchTemplateVersion', parameters);
      const DefaultVersion = created.text('LaunchTemplateVersion', 'VersionNumber');
      if (inputs.updateDefaultVersion)
        await aws.call('ec2', 'ModifyLaunchTemplate', { LaunchTemplateId: id, DefaultVersion });
    }
    await retag(aws, id, before, inputs.tags);
  },
  delete: async (aws, id) => void (await aws.call('ec2', 'DeleteLaunchTemplate', { LaunchTemplateId: id })),
});
