import { yamlText } from './text/yaml-text';
import { plainFile, type MachineFile } from './text/machine-file';

const path = '/etc/kubernetes/image-credentials.yaml';

/** Folder of the programs that log in to image registries. */
const folder = '/usr/local/lib/kubelet/credential-providers';

/** How a kubelet logs in to registries as its machine: what its flags name. No registries, no file. */
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

/** Flags of a kubelet that logs in to registries, by name; none where there are no registries. */
export const imageCredentialFlags = (registries: readonly string[]): Readonly<Record<string, string>> =>
  registries.length === 0
    ? {}
    : { 'image-credential-provider-config': path, 'image-credential-provider-bin-dir': folder };
