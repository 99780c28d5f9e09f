import { type EnvVar, type Volume, type VolumeMount, type Workload } from '../../api';
import { freeze } from '../objects/freeze';
import { roleArn } from '../platform/iam-roles';
import { type ProjectContext } from '../project-context';

const folder = '/var/run/secrets/pinion/aws';
const volumeName = 'pinion-aws-token';

/** Pod fields for an IAM role: a projected token and the variables that AWS SDKs read; no webhook is required. */
export interface CloudIdentity {
  readonly env: readonly EnvVar[];
  readonly volumes: readonly Volume[];
  readonly mounts: readonly VolumeMount[];
}

const noIdentity: CloudIdentity = { env: [], volumes: [], mounts: [] };
const mounts = freeze([{ name: volumeName, mountPath: folder, readOnly: true }]);
const tokenFile = freeze({ name: 'AWS_WEB_IDENTITY_TOKEN_FILE', value: `${folder}/token` });
const volumes = freeze([
  {
    name: volumeName,
    projected: {
      sources: [{ serviceAccountToken: { audience: 'sts.amazonaws.com', expirationSeconds: 3600, path: 'token' } }],
    },
  },
]);

/** Returns the pod fields for the IAM role of a workload; empty if it has none. */
export function cloudIdentityOf(workload: Workload, context: ProjectContext): CloudIdentity {
  const role = workload.spec.iamRole;
  const arn = role === undefined ? undefined : roleArn(role, context.platform);
  if (arn === undefined) return noIdentity;
  const region = context.platform.spec.region;
  return {
    env: [
      { name: 'AWS_ROLE_ARN', value: arn },
      tokenFile,
      ...(region === undefined ? [] : [{ name: 'AWS_REGION', value: region }]),
    ],
    volumes,
    mounts,
  };
}
