import { readFileSync } from 'node:fs';
import { errorText } from '../kube';
import { isError, type Problem } from '../api';
import { examineSubmissionSettings, type IdentitySettings, type SubmissionSettings } from '../programs';

/** What the service is told by its file and its environment. */
export interface ToldSettings {
  readonly settings: SubmissionSettings;
  readonly identity: IdentitySettings;
  readonly namespace: string;
}

/** Reads the file that the environment names, or says all that is wrong. */
export function readSettings(
  environment: Readonly<Record<string, string | undefined>>,
): ToldSettings | { readonly problems: readonly Problem[] } {
  const path = environment['SUBMISSION_CONFIG'] ?? '/etc/pinion/submission.json';
  const namespace = environment['PINION_PROJECT'] ?? '';
  const problems: Problem[] = [];
  if (namespace === '')
    problems.push({
      code: 'required',
      object: 'environment',
      path: ['PINION_PROJECT'],
      reason: 'is missing',
      remedy: 'name the namespace that it runs in',
    });
  let input: unknown;
  try {
    input = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    problems.push({
      code: 'unreadable',
      object: path,
      path: [],
      reason: `cannot be read as JSON: ${errorText(error)}`,
      remedy: 'mount it, or name another file by SUBMISSION_CONFIG',
    });
    return { problems };
  }
  const { settings, identity, problems: wrong } = examineSubmissionSettings(input);
  problems.push(...wrong.map((one) => ({ object: path, ...one })));
  return settings && identity && !problems.some(isError) ? { settings, identity, namespace } : { problems };
}
