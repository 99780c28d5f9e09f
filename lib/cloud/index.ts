/** AWS implementations of the interfaces of operations and artifact. */
export { type AwsOptions } from './aws-clients';
export { AwsDrainQueue } from './aws-drain-queue';
export { AwsInstances } from './aws-instances';
export { AwsMachines } from './aws-machines';
export { S3Objects } from './s3-objects';
