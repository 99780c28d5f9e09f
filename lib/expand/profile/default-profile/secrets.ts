import { identityVariables } from './environment';
import { appKinds, hardened, type PartInput } from './part-input';

const folder = '/var/run/pinion/secrets';

const start = `#!/bin/sh
# Writes the agent's configuration from its variables, and becomes the agent, which ends on SIGTERM.
set -eu
role="\${SECRETS_ROLE:-$PINION_PROJECT-$PINION_WORKLOAD}"
path="\${SECRETS_PATH:-secret/data/$PINION_PROJECT/$PINION_WORKLOAD}"
cat > /tmp/agent.hcl <<END
log_level = "$LOG_LEVEL"
auto_auth {
  method "jwt" {
    mount_path = "auth/$SECRETS_LOGIN"
    config = {
      path = "/var/run/pinion/identity/token"
      role = "$role"
      remove_jwt_after_reading = false
    }
  }
}
template_config {
  exit_on_retry_failure = true
  static_secret_render_interval = "5m"
}
template {
  destination = "${folder}/secrets.json"
  perms = "0444"
  contents = "{{ with secret \\"$path\\" }}{{ .Data.data | toJSON }}{{ end }}"
}
END
exec vault agent -config=/tmp/agent.hcl
`;

/** Part that fetches secrets from Vault with the pod's identity; the secrets are never stored in etcd. */
export const secrets: PartInput = {
  name: 'secrets',
  summary:
    "Pod: authenticates to Vault with the pod's identity and keeps one path of it as a file in memory, from before the app starts; it lives in the pod so that other pods of the node cannot read its secrets. Exits on SIGTERM immediately.",
  injection: 'OptIn',
  kinds: [...appKinds],
  requires: ['identity'],
  after: ['network'],
  needsValues: ['vaultAddress'],
  valueEnv: { VAULT_ADDR: 'vaultAddress', VAULT_NAMESPACE: 'vaultNamespace' },
  settings: {
    path: { env: 'SECRETS_PATH', summary: 'Path in Vault. Defaults to secret/data/<project>/<workload>.' },
    role: { env: 'SECRETS_ROLE', summary: 'Role in Vault. Defaults to <project>-<workload>.' },
    login: { default: 'jwt', env: 'SECRETS_LOGIN', summary: 'Mount of JWT authentication in Vault.' },
    level: {
      values: ['error', 'warn', 'info', 'debug'],
      default: 'warn',
      env: 'LOG_LEVEL',
      summary: 'Log level of the agent.',
    },
  },
  pod: {
    files: { '/etc/pinion/secrets/start.sh': start },
    sidecars: [
      hardened(
        {
          name: 'pinion-secrets',
          image: 'docker.io/hashicorp/vault:1.20.4',
          command: ['/bin/sh', '/etc/pinion/secrets/start.sh'],
          env: [...identityVariables, { name: 'HOME', value: '/tmp' }],
          volumeMounts: [
            { name: 'pinion-identity', mountPath: '/var/run/pinion/identity', readOnly: true },
            { name: 'pinion-secrets', mountPath: folder },
            { name: 'pinion-secrets-scratch', mountPath: '/tmp' },
          ],
          startupProbe: {
            exec: { command: ['test', '-s', `${folder}/secrets.json`] },
            periodSeconds: 1,
            failureThreshold: 120,
          },
        },
        { cpu: 20, memory: 64, memoryLimit: 128 },
        100,
      ),
    ],
    volumes: [
      { name: 'pinion-secrets', emptyDir: { medium: 'Memory', sizeLimit: '4Mi' } },
      { name: 'pinion-secrets-scratch', emptyDir: { medium: 'Memory', sizeLimit: '1Mi' } },
    ],
    volumeMounts: [{ name: 'pinion-secrets', mountPath: folder, readOnly: true }],
    env: [{ name: 'PINION_SECRETS', value: `${folder}/secrets.json` }],
  },
};
