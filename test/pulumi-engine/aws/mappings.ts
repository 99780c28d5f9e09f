import { autoScalingGroup } from './auto-scaling-group';
import { bucket } from './bucket';
import { bucketOwnershipControls, bucketPolicy, bucketPublicAccessBlock } from './bucket-access';
import { bucketEncryption, bucketLifecycle, bucketLogging, bucketVersioning } from './bucket-settings';
import { eip } from './eip';
import { eventRule } from './event-rule';
import { eventTarget } from './event-target';
import { flowLog } from './flow-log';
import { instanceProfile } from './instance-profile';
import { internetGateway } from './internet-gateway';
import { key } from './key';
import { keyAlias } from './key-alias';
import { launchTemplate } from './launch-template';
import { lifecycleHook } from './lifecycle-hook';
import { listener } from './listener';
import { loadBalancer } from './load-balancer';
import { type Mapping } from './mapping';
import { natGateway } from './nat-gateway';
import { networkInterface } from './network-interface';
import { openIdConnectProvider } from './open-id-connect-provider';
import { queue } from './queue';
import { queuePolicy } from './queue-policy';
import { role } from './role';
import { rolePolicy } from './role-policy';
import { route } from './route';
import { routeTable } from './route-table';
import { routeTableAssociation } from './route-table-association';
import { securityGroup } from './security-group';
import { securityGroupEgressRule, securityGroupIngressRule } from './security-group-rule';
import { subnet } from './subnet';
import { targetGroup } from './target-group';
import { targetGroupAttachment } from './target-group-attachment';
import { volume } from './volume';
import { vpc } from './vpc';
import { vpcEndpoint } from './vpc-endpoint';
import { zone } from './zone';
import { zoneRecord } from './zone-record';

/** All supported types of the provider, by type token. */
export const mappings: Readonly<Record<string, Mapping>> = {
  'aws:autoscaling/group:Group': autoScalingGroup,
  'aws:autoscaling/lifecycleHook:LifecycleHook': lifecycleHook,
  'aws:cloudwatch/eventRule:EventRule': eventRule,
  'aws:cloudwatch/eventTarget:EventTarget': eventTarget,
  'aws:ebs/volume:Volume': volume,
  'aws:ec2/eip:Eip': eip,
  'aws:ec2/flowLog:FlowLog': flowLog,
  'aws:ec2/internetGateway:InternetGateway': internetGateway,
  'aws:ec2/launchTemplate:LaunchTemplate': launchTemplate,
  'aws:ec2/natGateway:NatGateway': natGateway,
  'aws:ec2/networkInterface:NetworkInterface': networkInterface,
  'aws:ec2/route:Route': route,
  'aws:ec2/routeTable:RouteTable': routeTable,
  'aws:ec2/routeTableAssociation:RouteTableAssociation': routeTableAssociation,
  'aws:ec2/securityGroup:SecurityGroup': securityGroup,
  'aws:ec2/subnet:Subnet': subnet,
  'aws:ec2/vpc:Vpc': vpc,
  'aws:ec2/vpcEndpoint:VpcEndpoint': vpcEndpoint,
  'aws:iam/instanceProfile:InstanceProfile': instanceProfile,
  'aws:iam/openIdConnectProvider:OpenIdConnectProvider': openIdConnectProvider,
  'aws:iam/role:Role': role,
  'aws:iam/rolePolicy:RolePolicy': rolePolicy,
  'aws:kms/alias:Alias': keyAlias,
  'aws:kms/key:Key': key,
  'aws:lb/listener:Listener': listener,
  'aws:lb/loadBalancer:LoadBalancer': loadBalancer,
  'aws:lb/targetGroup:TargetGroup': targetGroup,
  'aws:lb/targetGroupAttachment:TargetGroupAttachment': targetGroupAttachment,
  'aws:route53/record:Record': zoneRecord,
  'aws:route53/zone:Zone': zone,
  'aws:s3/bucket:Bucket': bucket,
  'aws:s3/bucketLifecycleConfiguration:BucketLifecycleConfiguration': bucketLifecycle,
  'aws:s3/bucketLogging:BucketLogging': bucketLogging,
  'aws:s3/bucketOwnershipControls:BucketOwnershipControls': bucketOwnershipControls,
  'aws:s3/bucketPolicy:BucketPolicy': bucketPolicy,
  'aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock': bucketPublicAccessBlock,
  'aws:s3/bucketServerSideEncryptionConfiguration:BucketServerSideEncryptionConfiguration': bucketEncryption,
  'aws:s3/bucketVersioning:BucketVersioning': bucketVersioning,
  'aws:sqs/queue:Queue': queue,
  'aws:sqs/queuePolicy:QueuePolicy': queuePolicy,
  'aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule': securityGroupEgressRule,
  'aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule': securityGroupIngressRule,
};
