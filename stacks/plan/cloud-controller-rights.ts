import { tagKeys } from 'pinion/api';
import { type ClusterConfig } from './cluster-config';
import { describing } from './machine-rights';
import { regionalArn } from './names';
import { ownedTag, type Allowance } from './policy';

/** What the cloud controller manager may do: see nodes, and keep load balancers of services with their groups. */
export function cloudControllerRights(config: ClusterConfig): Allowance[] {
  const balancing = ['listener/net/*', 'loadbalancer/net/*', 'targetgroup/*'].map((one) =>
    regionalArn(config, 'elasticloadbalancing', one),
  );
  const group = regionalArn(config, 'ec2', 'security-group/*');
  return [
    describing(config, 'SeeNodes', [
      'ec2:DescribeAvailabilityZones',
      'ec2:DescribeInstances',
      'ec2:DescribeInstanceTopology',
      'ec2:DescribeRouteTables',
      'ec2:DescribeSecurityGroups',
      'ec2:DescribeSubnets',
      'ec2:DescribeVpcs',
      'elasticloadbalancing:DescribeListeners',
      'elasticloadbalancing:DescribeLoadBalancerAttributes',
      'elasticloadbalancing:DescribeLoadBalancers',
      'elasticloadbalancing:DescribeTargetGroupAttributes',
      'elasticloadbalancing:DescribeTargetGroups',
      'elasticloadbalancing:DescribeTargetHealth',
    ]),
    {
      name: 'MakeLoadBalancers',
      actions: ['CreateLoadBalancer', 'CreateTargetGroup'].map(balancingAction),
      resources: balancing,
      when: { StringEquals: ownedTag(config, 'RequestTag') },
    },
    {
      name: 'ListenOnOwnLoadBalancers',
      actions: ['CreateListener'].map(balancingAction),
      resources: balancing,
      when: { StringEquals: { ...ownedTag(config, 'RequestTag'), ...ownedTag(config, 'ResourceTag') } },
    },
    {
      name: 'MarkWhatIsMade',
      actions: ['elasticloadbalancing:AddTags'],
      resources: balancing,
      when: {
        StringEquals: {
          'elasticloadbalancing:CreateAction': ['CreateListener', 'CreateLoadBalancer', 'CreateTargetGroup'],
        },
      },
    },
    {
      name: 'ChangeOwnLoadBalancers',
      actions: [
        'DeleteListener',
        'DeleteLoadBalancer',
        'DeleteTargetGroup',
        'DeregisterTargets',
        'ModifyListener',
        'ModifyLoadBalancerAttributes',
        'ModifyTargetGroup',
        'ModifyTargetGroupAttributes',
        'RegisterTargets',
        'SetSecurityGroups',
      ].map(balancingAction),
      resources: balancing,
      when: { StringEquals: ownedTag(config, 'ResourceTag') },
    },
    {
      name: 'MakeGroups',
      actions: ['ec2:CreateSecurityGroup'],
      resources: [group],
      when: { StringEquals: ownedTag(config, 'RequestTag') },
    },
    {
      name: 'MakeGroupsInNetwork',
      actions: ['ec2:CreateSecurityGroup'],
      resources: [regionalArn(config, 'ec2', 'vpc/*')],
      when: { StringEquals: { [`aws:ResourceTag/${tagKeys.cluster}`]: config.name } },
    },
    {
      name: 'MarkGroups',
      actions: ['ec2:CreateTags'],
      resources: [group],
      when: { StringEquals: { 'ec2:CreateAction': 'CreateSecurityGroup' } },
    },
    {
      name: 'LetLoadBalancersIn',
      actions: ['ec2:AuthorizeSecurityGroupIngress', 'ec2:RevokeSecurityGroupIngress'],
      resources: [group],
      when: { StringEquals: ownedTag(config, 'ResourceTag', ['owned', 'shared']) },
    },
    {
      name: 'RemoveOwnGroups',
      actions: ['ec2:DeleteSecurityGroup'],
      resources: [group],
      when: { StringEquals: ownedTag(config, 'ResourceTag') },
    },
  ];
}

const balancingAction = (name: string): string => `elasticloadbalancing:${name}`;
