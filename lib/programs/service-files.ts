import { textAt, valueAt, type FieldPath, type Problem } from '../api';

/** The folder below which settings name files of a Secret where nothing else is said. */
export const usualSecretFolder = '/etc/pinion/session';

/**
 * What of its settings the service would not find in its pod: files that no Secret brings, and folders that end with
 * the pod. Paths are those of the settings, which may be wrong in other ways.
 */
export function serviceFileProblems(
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
    ...[['store'], ['witness']].flatMap(named).map(transient),
    ...files
      .flatMap(named)
      .filter(({ value }) => !folders.some((folder) => isIn(value, folder)))
      .map(unmounted),
  ];
}

/** Whether a Secret at a folder can bring a file: its keys are names without folders. */
const isIn = (file: string, folder: string): boolean => {
  const place = `${folder.replace(/\/+$/, '')}/`;
  return file.startsWith(place) && /^[^/]+$/.test(file.slice(place.length));
};

function unmounted(at: { readonly path: FieldPath; readonly value: string }): Problem {
  const reason = 'lies in no Secret that the service has';
  const remedy = isIn(at.value, usualSecretFolder)
    ? `give a Secret (--secret NAME) with the key ${at.value.slice(usualSecretFolder.length + 1)}`
    : `write a file in ${usualSecretFolder}, and give a Secret with that key (--secret NAME)`;
  return { code: 'unknown-reference', ...at, reason, remedy };
}

const transient = (at: { readonly path: FieldPath; readonly value: string }): Problem => ({
  code: 'contradiction',
  ...at,
  reason: 'is a folder of a pod, which ends with it',
  remedy: 'write s3://BUCKET/PREFIX',
});
