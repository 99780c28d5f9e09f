import { type ClusterConfig } from './cluster-config';
import { accountArn, issuerUrl } from './names';
import { type Trust } from './policy';

/** Audience of the tokens that pods take a role with. */
export const tokenAudience = 'sts.amazonaws.com';

/** Host and path by which IAM names the issuer. */
const issuerKey = (config: ClusterConfig): string => issuerUrl(config).replace('https://', '');

/** ARN of the cluster's issuer of service account tokens, as IAM knows it. */
export const issuerArn = (config: ClusterConfig): string =>
  accountArn(config, 'iam', `oidc-provider/${issuerKey(config)}`);

/** Lets pods of one service account take a role, and nobody else. */
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
