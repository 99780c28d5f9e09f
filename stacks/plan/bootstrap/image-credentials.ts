import { yamlText } from './text/yaml-text';
import { plainFile, type MachineFile } from './text/machine-file';

const path = '/etc/kubernetes/image-credentials.yaml';

/** Folder of the credential provider programs. */
const folder = '/usr/local/lib/kubelet/credential-providers';

/** Returns the kubelet configuration for logging in to registries with the role of the machine; no files without registries. */
export function imageCredentials(registries: readonly string[]): MachineFile[] {
  if (registries.length === 0) return [];
  const configuration = {
    apiVersion: 'kubelet.config.k8s.io/v1',
    kind: 'CredentialProviderConfig',
    providers: [
      {
        name: 'ecr-credential-provider',
        apiVersion: 'credentialprovider.kubelet.k8s.io/v1',
        matchImages: registries,
        defaultCacheDuration: '12h',
      },
    ],
  };
  return [plainFile(path, yamlText(configuration))];
}

/** Returns the kubelet flags for logging in to registries, by name; none without registries. */
export const imageCredentialFlags = (registries: readonly string[]): Readonly<Record<string, string>> =>
  registries.length === 0
    ? {}
    : { 'image-credential-provider-config': path, 'image-credential-provider-bin-dir': folder };
