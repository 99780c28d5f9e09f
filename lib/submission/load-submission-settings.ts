import { type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { errorText } from '../kube';
import { isError, type Problem } from '../api';
import { readSigningKey } from '../artifact';
import { safeParseSubmissionSettings, isWebhook, type IdentitySettings, type SubmissionSettings } from '../programs';

/** Settings from the file and the environment. */
export interface LoadedSettings {
  readonly settings: SubmissionSettings;
  readonly identity: IdentitySettings;
  readonly namespace: string;
  /** Webhook URL for break-glass deployments, whose path may be a secret. @default - none */
  readonly webhook?: string;
  /** Private key that authorizes workloads of protected projects. @default - none */
  readonly deploymentKey?: KeyObject;
}

/** Reads the settings file that SUBMISSION_CONFIG names, or returns all problems. */
export function loadSubmissionSettings(
  environment: Readonly<Record<string, string | undefined>>,
): LoadedSettings | { readonly problems: readonly Problem[] } {
  const path = environment['SUBMISSION_CONFIG'] ?? '/etc/pinion/submission.json';
  const namespace = environment['PINION_PROJECT'] ?? '';
  const problems: Problem[] = [];
  if (namespace === '')
    problems.push({
      code: 'required',
      object: 'environment',
      path: ['PINION_PROJECT'],
      reason: 'is missing',
      remedy: 'set it to the namespace that the service runs in',
    });
  let input: unknown;
  try {
    input = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    problems.push({
      code: 'parse-error',
      object: path,
      path: [],
      reason: `cannot be read as JSON: ${errorText(error)}`,
      remedy: 'mount it, or set SUBMISSION_CONFIG to another file',
    });
    return { problems };
  }
  const { settings, identity, problems: invalid } = safeParseSubmissionSettings(input);
  problems.push(...invalid.map((one) => ({ object: path, ...one })));
  const webhook = settings && webhookOf(settings);
  if (webhook && 'reason' in webhook) problems.push({ object: path, ...webhook });
  const key = settings && deploymentKeyOf(settings);
  if (key && 'reason' in key) problems.push({ object: path, ...key });
  if (!settings || !identity || problems.some(isError)) return { problems };
  return {
    settings,
    identity,
    namespace,
    ...(webhook && 'url' in webhook && { webhook: webhook.url }),
    ...(key && 'key' in key && { deploymentKey: key.key }),
  };
}

/** Returns the break-glass webhook URL, from the settings or from a file, or its problems. */
function webhookOf({
  breakGlassWebhook,
  breakGlassWebhookFile: file,
}: SubmissionSettings): { readonly url: string } | Problem | undefined {
  if (file === undefined) return breakGlassWebhook === undefined ? undefined : { url: breakGlassWebhook };
  const path = ['breakGlassWebhookFile'];
  try {
    const url = readFileSync(file, 'utf8').trim();
    if (isWebhook(url)) return { url };
  } catch (error) {
    const reason = `cannot be read: ${errorText(error)}`;
    return { code: 'parse-error', path, reason, remedy: 'mount a Secret with this key' };
  }
  const reason = 'must name a file with an http or https URL without user and password';
  return { code: 'bad-format', path, value: file, reason, remedy: 'write only the URL to it' };
}

/** Returns the key that authorizes workloads, or its problem; the content of the file is never reported. */
function deploymentKeyOf({
  deploymentKeyFile: file,
}: SubmissionSettings): { readonly key: KeyObject } | Problem | undefined {
  if (file === undefined) return undefined;
  const path = ['deploymentKeyFile'];
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const reason = `cannot be read: ${errorText(error)}`;
    return { code: 'parse-error', path, reason, remedy: 'mount a Secret with this key' };
  }
  const key = readSigningKey(text);
  if (key) return { key };
  const reason = 'must name a file with a private key of Ed25519 or of the curve P-256, in PEM';
  return { code: 'bad-format', path, value: file, reason, remedy: 'use openssl genpkey -algorithm ed25519' };
}
