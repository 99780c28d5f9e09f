import { readFileSync } from 'node:fs';
import { ProblemsError } from '../../api';
import { type Clock } from '../../kube';
import { safeParseSessionKeys, type SessionKey } from './session-keys';

/** Milliseconds after which the file is read again; the kubelet takes about as long to update a Secret in a pod. */
const refreshAfter = 60_000;

/**
 * Session keys of a file, reloaded periodically. Throws if the first read fails, with a `ProblemsError` for invalid keys;
 * later failures keep the last keys and call `onProblem`.
 */
export function sessionKeyFile(
  file: string,
  clock: Clock,
  onProblem: (sentence: string) => void,
): () => readonly SessionKey[] {
  let keys = keysIn(file);
  let at = clock.now();
  return () => {
    if (clock.now() < at + refreshAfter) return keys;
    at = clock.now();
    try {
      keys = keysIn(file);
    } catch (error) {
      onProblem(`session keys of ${file} cannot be reloaded, using the previous ones: ${String(error)}`);
    }
    return keys;
  };
}

function keysIn(file: string): readonly SessionKey[] {
  const { keys, problems } = safeParseSessionKeys(readFileSync(file, 'utf8'));
  if (!keys) throw new ProblemsError(problems.map((problem) => ({ ...problem, object: file })));
  return keys;
}
