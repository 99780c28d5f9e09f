import { type Problem } from '../../api';
import { type ControlPlaneProgram } from '../load/load';

/** Flags that follow from how masters are made: from their files, certificates, addresses and databases. */
const owned: Readonly<Record<ControlPlaneProgram, string>> = {
  'kube-apiserver': `admission-control-config-file advertise-address allow-privileged anonymous-auth audit-log-maxage audit-log-maxbackup audit-log-maxsize audit-log-mode audit-log-path audit-policy-file authentication-config authorization-config authorization-mode client-ca-file enable-bootstrap-token-auth encryption-provider-config etcd-cafile etcd-certfile etcd-keyfile etcd-servers etcd-servers-overrides kubelet-certificate-authority kubelet-client-certificate kubelet-client-key oidc-ca-file oidc-client-id oidc-groups-claim oidc-groups-prefix oidc-issuer-url oidc-required-claim oidc-signing-algs oidc-username-claim oidc-username-prefix proxy-client-cert-file proxy-client-key-file requestheader-client-ca-file secure-port service-account-issuer service-account-jwks-uri service-account-key-file service-account-signing-key-file service-cluster-ip-range tls-cert-file tls-private-key-file`,
  'kube-controller-manager': 'bind-address',
  'kube-scheduler': 'bind-address',
};

/** The flags of a program that follow from how masters are made; whoever plans another value for one is refused. */
export const ownedFlags = (program: ControlPlaneProgram): readonly string[] => owned[program].split(' ');

/** What is said of a flag that follows from how masters are made. */
export const ownedFlagProblem = (path: Problem['path'], value: string | undefined): Problem => ({
  code: 'platform-owned',
  path,
  value,
  reason: 'follows from how masters are made',
  remedy: 'leave it out',
});

/** Plugins without which nodes could act for each other, or events fill the database. */
const neededPlugins = ['NodeRestriction', 'EventRateLimit'] as const;

/** What is missing in the admission plugins of an API server, or is turned off; `path` leads to its flags. */
export function admissionProblems(path: Problem['path'], flags: Readonly<Record<string, string>>): Problem[] {
  const [on, off] = [flags['enable-admission-plugins'], flags['disable-admission-plugins']];
  const listed = (value = ''): readonly string[] => value.split(',').map((plugin) => plugin.trim());
  return neededPlugins.flatMap((plugin): Problem[] => {
    if (listed(off).includes(plugin))
      return [
        {
          code: 'invalid-combination',
          path: [...path, 'disable-admission-plugins'],
          value: off,
          reason: `names ${plugin}, which masters are configured for`,
          remedy: `leave ${plugin} out`,
        },
      ];
    if (listed(on).includes(plugin)) return [];
    return [
      {
        code: 'required',
        path: [...path, 'enable-admission-plugins'],
        ...(on !== undefined && { value: on }),
        reason: `does not name ${plugin}, which masters are configured for`,
        remedy: `add ${plugin}`,
      },
    ];
  });
}
