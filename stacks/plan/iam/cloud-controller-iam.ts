import { tagKeys } from '@pinion-platform/pinion/api';
import { type ClusterConfig } from '../config/cluster-config';
import { describeStatement } from './machine-iam';
import { regionalArn } from '../names';
import { ownedTag, type IamStatement } from './policy';

/** Returns the IAM statements of the cloud controller manager: describe nodes, and manage load balancers of services with their security groups. */
export function cloudControllerStatements(config: ClusterConfig): IamStatement[] {
  const balancing = ['listener/net/*', 'loadbalancer/net/*', 'targetgroup/*'].map((one) =>
    regionalArn(config, 'elasticloadbalancing', one),
  );
  const group = regionalArn(config, 'ec2', 'security-group/*');
  return [
    describeStatement(config, 'DescribeNodes', [
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
      name: 'CreateLoadBalancers',
      actions: ['CreateLoadBalancer', 'CreateTargetGroup'].map(balancingAction),
      resources: balancing,
      when: { StringEquals: ownedTag(config, 'RequestTag') },
    },
    {
      name: 'CreateListeners',
      actions: ['CreateListener'].map(balancingAction),
      resources: balancing,
      when: { StringEquals: { ...ownedTag(config, 'RequestTag'), ...ownedTag(config, 'ResourceTag') } },
    },
    {
      name: 'TagOnCreate',
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
      name: 'CreateSecurityGroups',
      actions: ['ec2:CreateSecurityGroup'],
      resources: [group],
      when: { StringEquals: ownedTag(config, 'RequestTag') },
    },
    {
      name: 'CreateSecurityGroupsInVpc',
      actions: ['ec2:CreateSecurityGroup'],
      resources: [regionalArn(config, 'ec2', 'vpc/*')],
      when: { StringEquals: { [`aws:ResourceTag/${tagKeys.cluster}`]: config.name } },
    },
    {
      name: 'TagSecurityGroups',
      actions: ['ec2:CreateTags'],
      resources: [group],
      when: { StringEquals: { 'ec2:CreateAction': 'CreateSecurityGroup' } },
    },
    {
      name: 'ChangeIngressRules',
      actions: ['ec2:AuthorizeSecurityGroupIngress', 'ec2:RevokeSecurityGroupIngress'],
      resources: [group],
      when: { StringEquals: ownedTag(config, 'ResourceTag', ['owned', 'shared']) },
    },
    {
      name: 'DeleteOwnSecurityGroups',
      actions: ['ec2:DeleteSecurityGroup'],
      resources: [group],
      when: { StringEquals: ownedTag(config, 'ResourceTag') },
    },
  ];
}

const balancingAction = (name: string): string => `elasticloadbalancing:${name}`;
