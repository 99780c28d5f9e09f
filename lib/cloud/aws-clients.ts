import { AutoScaling } from '@aws-sdk/client-auto-scaling';
import { EC2 } from '@aws-sdk/client-ec2';

/** Region, endpoint and credentials of AWS. */
export interface AwsOptions {
  readonly region: string;
  /** @default - the region's endpoint */
  readonly endpoint?: string;
  /** @default - the SDK's default chain: environment, profile, role */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

/** Clients of the services that manage machines. */
export interface AwsClients {
  readonly autoScaling: AutoScaling;
  readonly ec2: EC2;
}

/** Creates clients. Throttled calls are retried up to ten times. */
export function awsClients(options: AwsOptions): AwsClients {
  const settings = { ...options, maxAttempts: 10 };
  return { autoScaling: new AutoScaling(settings), ec2: new EC2(settings) };
}
