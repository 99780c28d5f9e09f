import { type Problem } from '../../api';
import { type ControlPlaneProgram } from '../load/load';

/** Flags that the bootstrap of control plane nodes sets: files, certificates, addresses and databases. */
const owned: Readonly<Record<ControlPlaneProgram, string>> = {
  'kube-apiserver': `admission-control-config-file advertise-address allow-privileged anonymous-auth audit-log-compress audit-log-maxage audit-log-maxbackup audit-log-maxsize audit-log-mode audit-log-path audit-policy-file authentication-config authorization-config authorization-mode client-ca-file enable-bootstrap-token-auth encryption-provider-config etcd-cafile etcd-certfile etcd-keyfile etcd-servers etcd-servers-overrides kubelet-certificate-authority kubelet-client-certificate kubelet-client-key oidc-ca-file oidc-client-id oidc-groups-claim oidc-groups-prefix oidc-issuer-url oidc-required-claim oidc-signing-algs oidc-username-claim oidc-username-prefix proxy-client-cert-file proxy-client-key-file requestheader-client-ca-file secure-port service-account-issuer service-account-jwks-uri service-account-key-file service-account-signing-key-file service-cluster-ip-range tls-cert-file tls-private-key-file`,
  'kube-controller-manager': 'bind-address',
  'kube-scheduler': 'bind-address',
};

/** Returns the flags of a program that the bootstrap of control plane nodes sets; other values for them are rejected. */
export const ownedFlags = (program: ControlPlaneProgram): readonly string[] => owned[program].split(' ');

/** Returns the problem of a flag that the bootstrap of control plane nodes sets. */
export const ownedFlagProblem = (path: Problem['path'], value: string | undefined): Problem => ({
  code: 'platform-owned',
  path,
  value,
  reason: 'is set by the bootstrap of control plane nodes',
  remedy: 'remove it',
});

/** Without these admission plugins, nodes could impersonate each other, or events could fill the database. */
const requiredPlugins = ['NodeRestriction', 'EventRateLimit'] as const;

/** Returns the required admission plugins that are missing or disabled; `path` is the path of the API server's flags. */
export function admissionProblems(path: Problem['path'], flags: Readonly<Record<string, string>>): Problem[] {
  const [enabled, disabled] = [flags['enable-admission-plugins'], flags['disable-admission-plugins']];
  const pluginNames = (value = ''): readonly string[] => value.split(',').map((plugin) => plugin.trim());
  return requiredPlugins.flatMap((plugin): Problem[] => {
    if (pluginNames(disabled).includes(plugin))
      return [
        {
          code: 'invalid-combination',
          path: [...path, 'disable-admission-plugins'],
          value: disabled,
          reason: `disables ${plugin}, which control plane nodes require`,
          remedy: `remove ${plugin}`,
        },
      ];
    if (pluginNames(enabled).includes(plugin)) return [];
    return [
      {
        code: 'required',
        path: [...path, 'enable-admission-plugins'],
        ...(enabled !== undefined && { value: enabled }),
        reason: `lacks ${plugin}, which control plane nodes require`,
        remedy: `add ${plugin}`,
      },
    ];
  });
}
