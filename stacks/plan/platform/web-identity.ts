import { tokenAudience } from '../workload-trust';

const folder = '/var/run/secrets/pinion/aws';
const volume = 'aws-token';

/** What a pod of a plain object needs to act as a role of IAM: the same token and variables that `spec.iamRole` gives pods of our kinds. */
export const webIdentity = (roleArn: string, region: string) => ({
  env: [
    { name: 'AWS_ROLE_ARN', value: roleArn },
    { name: 'AWS_WEB_IDENTITY_TOKEN_FILE', value: `${folder}/token` },
    { name: 'AWS_REGION', value: region },
  ],
  mount: { name: volume, mountPath: folder, readOnly: true },
  volume: {
    name: volume,
    projected: {
      sources: [{ serviceAccountToken: { audience: tokenAudience, expirationSeconds: 3600, path: 'token' } }],
    },
  },
});
