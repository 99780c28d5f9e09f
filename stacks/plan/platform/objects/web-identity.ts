import { tokenAudience } from '../../iam/workload-trust';

const folder = '/var/run/secrets/pinion/aws';
const volume = 'aws-token';

/** Returns variables, mount and volume with which a plain pod assumes an IAM role, as `spec.iamRole` does for pinion kinds. */
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
