import { type ClusterConfig } from '../config/cluster-config';
import { accountArn, issuerUrl } from '../names';
import { type Trust } from './policy';

/** Audience of the tokens with which pods assume a role. */
export const tokenAudience = 'sts.amazonaws.com';

/** Returns the issuer URL without scheme, as IAM refers to it. */
const issuerKey = (config: ClusterConfig): string => issuerUrl(config).replace('https://', '');

/** Returns the ARN of the OIDC provider of the cluster. */
export const issuerArn = (config: ClusterConfig): string =>
  accountArn(config, 'iam', `oidc-provider/${issuerKey(config)}`);

/** Returns a trust policy for the pods of one service account. */
export const workloadTrust = (
  config: ClusterConfig,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): Trust => ({
  issuer: issuerArn(config),
  when: {
    StringEquals: {
      [`${issuerKey(config)}:aud`]: tokenAudience,
      [`${issuerKey(config)}:sub`]: `system:serviceaccount:${namespace}:${name}`,
    },
  },
});
