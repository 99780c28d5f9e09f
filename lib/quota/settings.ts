import { type Problem } from '../api';
import { usualThresholds, type Thresholds } from './level';
import { alertmanagerSender, webhookSender, type Sender } from './senders';

/** What the watcher is told by its environment. */
export interface Settings {
  /** Namespace of its ConfigMaps. */
  readonly namespace: string;
  readonly sender: Sender | undefined;
  /** Where metrics are pushed to; may hold secrets. */
  readonly pushgateway: URL | undefined;
  readonly thresholds: Thresholds;
}

/** Variables that the watcher reads, one sentence each. */
export const variables = {
  PINION_PROJECT: 'Namespace of its own ConfigMaps.',
  QUOTA_WEBHOOK_URL: 'Where owners are told: a webhook.',
  QUOTA_WEBHOOK_TOKEN: 'Bearer token of the webhook.',
  QUOTA_ALERTMANAGER_URL: 'Where owners are told: an Alertmanager.',
  QUOTA_ALERTMANAGER_TOKEN: 'Bearer token of the Alertmanager.',
  QUOTA_PUSHGATEWAY_URL: 'Pushgateway that takes its metrics.',
  QUOTA_FILLING_PERCENT: 'Share of a quota from which it is filling.',
  QUOTA_NEARLY_FULL_PERCENT: 'Share of a quota from which it is nearly full.',
  QUOTA_FILLING_DAYS: 'Days until a quota is full, as it grows, from which it is filling.',
  QUOTA_NEARLY_FULL_DAYS: 'Days until a quota is full, as it grows, from which it is nearly full.',
} as const;

type Name = keyof typeof variables;

/** Reads the watcher's settings, or says all that is wrong with them; no problem shows a URL or a token. */
export function readSettings(
  environment: Readonly<Record<string, string | undefined>>,
): { readonly settings: Settings } | { readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const refuse = (name: Name, reason: string, remedy: string, code: Problem['code'] = 'bad-format', value?: string) =>
    void problems.push({
      code,
      object: 'environment',
      path: [name],
      reason,
      remedy,
      ...(value !== undefined && { value }),
    });
  const url = (name: Name): URL | undefined => {
    const text = environment[name];
    if (!text) return undefined;
    const found = URL.canParse(text) ? new URL(text) : undefined;
    if (found && /^https?:$/.test(found.protocol)) return found;
    refuse(name, 'is no URL of http or https', 'write one, such as https://hooks.example.com/quota');
    return undefined;
  };
  const number = (name: Name, usual: number, most: number): number => {
    const text = environment[name];
    if (!text) return usual;
    const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
    if (value > 0 && value <= most) return value;
    refuse(name, 'is no number in range', `write a number above 0 and at most ${most}`, 'out-of-range', text);
    return usual;
  };
  const namespace = environment['PINION_PROJECT'] ?? '';
  if (namespace === '') refuse('PINION_PROJECT', 'is missing', 'name the namespace that it runs in', 'required');
  const [webhook, alertmanager] = [url('QUOTA_WEBHOOK_URL'), url('QUOTA_ALERTMANAGER_URL')];
  if (webhook && alertmanager)
    refuse('QUOTA_WEBHOOK_URL', 'is given beside QUOTA_ALERTMANAGER_URL', 'give one of the two', 'contradiction');
  const thresholds: Thresholds = {
    ...usualThresholds,
    filling: number('QUOTA_FILLING_PERCENT', usualThresholds.filling * 100, 100) / 100,
    nearlyFull: number('QUOTA_NEARLY_FULL_PERCENT', usualThresholds.nearlyFull * 100, 100) / 100,
    fillingDays: number('QUOTA_FILLING_DAYS', usualThresholds.fillingDays, 365),
    nearlyFullDays: number('QUOTA_NEARLY_FULL_DAYS', usualThresholds.nearlyFullDays, 365),
  };
  if (thresholds.filling > thresholds.nearlyFull)
    refuse('QUOTA_FILLING_PERCENT', 'is more than QUOTA_NEARLY_FULL_PERCENT', 'lower it', 'contradiction');
  const pushgateway = url('QUOTA_PUSHGATEWAY_URL');
  if (problems.length > 0) return { problems };
  const token = (name: Name) => (environment[name] ? { token: environment[name] } : {});
  const sender = webhook
    ? webhookSender({ url: webhook, ...token('QUOTA_WEBHOOK_TOKEN') })
    : alertmanager && alertmanagerSender({ url: alertmanager, ...token('QUOTA_ALERTMANAGER_TOKEN') });
  return { settings: { namespace, sender, pushgateway, thresholds } };
}
