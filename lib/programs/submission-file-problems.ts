import { textAt, valueAt, type FieldPath, type Problem } from '../api';

/** Default mount path of the service's Secret. */
export const defaultSecretFolder = '/etc/pinion/session';

/**
 * Reports settings that do not work in a pod: files that no Secret provides, and stores in ephemeral folders. Accepts
 * settings that are otherwise invalid.
 */
export function submissionFileProblems(
  settings: unknown,
  secrets: Readonly<Record<string, { readonly name: string }>> = {},
): Problem[] {
  const folders = Object.keys(secrets);
  const clusters = valueAt(settings, ['clusters']);
  const files: readonly FieldPath[] = [
    ...(Array.isArray(clusters) ? clusters.map((_, index) => ['clusters', index, 'kubeconfig']) : []),
    ['identity', 'session', 'keysFile'],
    ['identity', 'session', 'clientSecretFile'],
    ['breakGlassWebhookFile'],
    ['deploymentKeyFile'],
  ];
  const absolutePaths = (path: FieldPath): { readonly path: FieldPath; readonly value: string }[] => {
    const value = textAt(settings, ...path);
    return value?.startsWith('/') === true ? [{ path, value }] : [];
  };
  return [
    ...[['artifactStore'], ['verificationStore']].flatMap(absolutePaths).map(ephemeralStore),
    ...files
      .flatMap(absolutePaths)
      .filter(({ value }) => !folders.some((folder) => canProvide(value, folder)))
      .map(unmountedFile),
  ];
}

/** Returns whether a Secret that is mounted at a folder can provide a file; its keys cannot contain slashes. */
const canProvide = (file: string, folder: string): boolean => {
  const prefix = `${folder.replace(/\/+$/, '')}/`;
  return file.startsWith(prefix) && /^[^/]+$/.test(file.slice(prefix.length));
};

function unmountedFile(setting: { readonly path: FieldPath; readonly value: string }): Problem {
  const reason = 'is not in a Secret of the service';
  const remedy = canProvide(setting.value, defaultSecretFolder)
    ? `mount a Secret (--secret NAME) with the key ${setting.value.slice(defaultSecretFolder.length + 1)}`
    : `use a file in ${defaultSecretFolder} and mount a Secret with that key (--secret NAME)`;
  return { code: 'unknown-reference', ...setting, reason, remedy };
}

const ephemeralStore = (setting: { readonly path: FieldPath; readonly value: string }): Problem => ({
  code: 'invalid-combination',
  ...setting,
  reason: 'is a folder in the pod, whose content is lost when the pod is deleted',
  remedy: 'use s3://BUCKET/PREFIX',
});
