import { readFileSync } from 'node:fs';
import { ProblemsError } from '../../api';
import { type Clock } from '../../kube';
import { examineSessionKeys, type SessionKey } from './session-keys';

/** Milliseconds after which the file is read again; the kubelet takes about as long to bring a changed Secret into a pod. */
const freshFor = 60_000;

/**
 * Keys of sessions as a file has them, read again as time goes on. Throws where the file cannot be read at first, and a
 * `ProblemsError` where it then holds no keys; later what was read last goes on, and `onProblem` is told.
 */
export function sessionKeyFile(
  file: string,
  clock: Clock,
  onProblem: (sentence: string) => void,
): () => readonly SessionKey[] {
  let keys = keysIn(file);
  let at = clock.now();
  return () => {
    if (clock.now() < at + freshFor) return keys;
    at = clock.now();
    try {
      keys = keysIn(file);
    } catch (error) {
      onProblem(`the keys of sessions in ${file} go on as they were: ${String(error)}`);
    }
    return keys;
  };
}

function keysIn(file: string): readonly SessionKey[] {
  const { keys, problems } = examineSessionKeys(readFileSync(file, 'utf8'));
  if (!keys) throw new ProblemsError(problems.map((problem) => ({ ...problem, object: file })));
  return keys;
}
