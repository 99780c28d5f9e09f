import * as z from 'zod';
import { arnOf, describeResource } from './find-resource';
import { mapping } from './mapping';
import { retag, tags, tagsOf, tagsOnCreation } from './tags';

const peers = ['cidrIpv4', 'referencedSecurityGroupId', 'prefixListId'] as const;
const fields = z.strictObject({
  securityGroupId: z.string(),
  ipProtocol: z.enum(['-1', 'tcp', 'udp']),
  fromPort: z.int().min(0).max(65535).optional(),
  toPort: z.int().min(0).max(65535).optional(),
  description: z.string().max(255).optional(),
  cidrIpv4: z.cidrv4().optional(),
  referencedSecurityGroupId: z.string().optional(),
  prefixListId: z.string().optional(),
  tags,
});

const shape = fields.refine((rule) => peers.filter((peer) => rule[peer] !== undefined).length === 1, {
  error: `has one of ${peers.join(', ')}`,
});

const permission = (inputs: z.output<typeof shape>) => {
  const { cidrIpv4, referencedSecurityGroupId, prefixListId, description } = inputs;
  const descriptionField = description === undefined ? {} : { Description: description };
  return {
    IpProtocol: inputs.ipProtocol,
    ...(inputs.fromPort !== undefined && { FromPort: inputs.fromPort }),
    ...(inputs.toPort !== undefined && { ToPort: inputs.toPort }),
    ...(cidrIpv4 !== undefined && { IpRanges: [{ CidrIp: cidrIpv4, ...descriptionField }] }),
    ...(referencedSecurityGroupId !== undefined && {
      UserIdGroupPairs: [{ GroupId: referencedSecurityGroupId, ...descriptionField }],
    }),
    ...(prefixListId !== undefined && { PrefixListIds: [{ PrefixListId: prefixListId, ...descriptionField }] }),
  };
};

/** `aws.vpc.SecurityGroupIngressRule` and `aws.vpc.SecurityGroupEgressRule`. */
const rule = (direction: 'Ingress' | 'Egress') =>
  mapping({
    shape,
    dropped: { description: 'the emulation returns it only for rules by address' },
    immutable: ['securityGroupId', 'ipProtocol', 'fromPort', 'toPort', ...peers],
    async create(aws, inputs) {
      const created = await aws.call('ec2', `AuthorizeSecurityGroup${direction}`, {
        GroupId: inputs.securityGroupId,
        IpPermissions: [permission(inputs)],
        ...tagsOnCreation('security-group-rule', inputs.tags),
      });
      const [one] = created.list('SecurityGroupRules');
      return one?.text('SecurityGroupRuleId') ?? '';
    },
    async read(aws, id) {
      const parameters = { SecurityGroupRuleIds: [id] };
      const one = await describeResource(aws, 'DescribeSecurityGroupRules', parameters, 'SecurityGroupRules');
      if (!one) return undefined;
      return {
        ...one.fields('ipProtocol', 'fromPort', 'toPort', 'description', 'cidrIpv4', 'prefixListId'),
        securityGroupId: one.at('GroupId'),
        referencedSecurityGroupId: one.at('ReferencedGroupInfo', 'GroupId'),
        tags: tagsOf(one),
        arn: arnOf(aws, 'security-group-rule', id),
      };
    },
    async update(aws, id, inputs, before) {
      const Description = inputs.description ?? '';
      await aws.call('ec2', `UpdateSecurityGroupRuleDescriptions${direction}`, {
        GroupId: inputs.securityGroupId,
        SecurityGroupRuleDescriptions: [{ SecurityGroupRuleId: id, Description }],
      });
      await retag(aws, id, before, inputs.tags);
    },
    async delete(aws, id, { securityGroupId }) {
      const parameters = { GroupId: securityGroupId, SecurityGroupRuleIds: [id] };
      await aws.call('ec2', `RevokeSecurityGroup${direction}`, parameters);
    },
  });

/** `aws.vpc.SecurityGroupIngressRule`. */
export const securityGroupIngressRule = rule('Ingress');
/** `aws.vpc.SecurityGroupEgressRule`. */
export const securityGroupEgressRule = rule('Egress');
