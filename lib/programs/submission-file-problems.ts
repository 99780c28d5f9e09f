import { textAt, valueAt, type FieldPath, type Problem } from '../api';

/** Default mount path of the service's Secret. */
export const defaultSecretFolder = '/etc/pinion/session';

/**
 * Reports settings that do not work in a pod: files that no Secret provides, and stores in ephemeral folders. The settings may
 * be invalid otherwise.
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
  ];
  const named = (path: FieldPath): { readonly path: FieldPath; readonly value: string }[] => {
    const value = textAt(settings, ...path);
    return value?.startsWith('/') === true ? [{ path, value }] : [];
  };
  return [
    ...[['artifactStore'], ['verificationStore']].flatMap(named).map(ephemeral),
    ...files
      .flatMap(named)
      .filter(({ value }) => !folders.some((folder) => isIn(value, folder)))
      .map(unmounted),
  ];
}

/** Returns whether a Secret mounted at a folder can provide a file: its keys contain no slash. */
const isIn = (file: string, folder: string): boolean => {
  const prefix = `${folder.replace(/\/+$/, '')}/`;
  return file.startsWith(prefix) && /^[^/]+$/.test(file.slice(prefix.length));
};

function unmounted(at: { readonly path: FieldPath; readonly value: string }): Problem {
  const reason = 'is not in a Secret of the service';
  const remedy = isIn(at.value, defaultSecretFolder)
    ? `mount a Secret (--secret NAME) with the key ${at.value.slice(defaultSecretFolder.length + 1)}`
    : `use a file in ${defaultSecretFolder} and mount a Secret with that key (--secret NAME)`;
  return { code: 'unknown-reference', ...at, reason, remedy };
}

const ephemeral = (at: { readonly path: FieldPath; readonly value: string }): Problem => ({
  code: 'invalid-combination',
  ...at,
  reason: 'is a folder of the pod, which is lost with it',
  remedy: 'use s3://BUCKET/PREFIX',
});
