/** Calls of AWS at run time, handed to the other rooms by process entries. */
export { type AwsOptions } from './aws-clients';
export { S3Objects } from './s3-objects';
