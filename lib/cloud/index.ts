/** Calls of AWS at run time, handed to the other rooms by process entries. */
export { type AwsOptions } from './aws-clients';
export { AwsMachines } from './aws-machines';
export { tagKeys } from './tag-keys';
