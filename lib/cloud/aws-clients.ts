import { AutoScaling } from '@aws-sdk/client-auto-scaling';
import { EC2 } from '@aws-sdk/client-ec2';

/** Where AWS is, and as whom to talk to it. */
export interface AwsOptions {
  readonly region: string;
  /** @default - AWS's own */
  readonly endpoint?: string;
  /** @default - what the SDK finds: variables, profile, role */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

/** Connections to the services that know machines. */
export interface AwsClients {
  readonly autoScaling: AutoScaling;
  readonly ec2: EC2;
}

/** Connects; nothing is sent before the first call. Throttled calls are repeated up to ten times. */
export function awsClients(options: AwsOptions): AwsClients {
  const settings = { ...options, maxAttempts: 10 };
  return { autoScaling: new AutoScaling(settings), ec2: new EC2(settings) };
}
