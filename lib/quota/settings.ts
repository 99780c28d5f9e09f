import { type Problem } from '../api';
import { type quotaMonitorVariables } from '../programs';
import { defaultThresholds, type Thresholds } from './level';
import { alertmanagerSender, webhookSender, type Sender } from './senders';

/** Settings of the quota monitor. */
export interface Settings {
  /** Namespace of its ConfigMaps. */
  readonly namespace: string;
  readonly sender: Sender | undefined;
  /** Push target of metrics; may hold secrets. */
  readonly pushgateway: URL | undefined;
  readonly thresholds: Thresholds;
}

type Name = keyof typeof quotaMonitorVariables;
type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the settings of the quota monitor, or returns all problems; no problem shows a URL or a token. */
export function readMonitorSettings(
  environment: Environment,
): { readonly settings: Settings } | { readonly problems: readonly Problem[] } {
  const given = new GivenVariables(environment);
  const namespace = environment['PINION_PROJECT'] ?? '';
  if (namespace === '')
    given.refuse('PINION_PROJECT', 'is missing', 'set it to the namespace of the quota monitor', 'required');
  const sender = senderOf(given, environment);
  const thresholds = thresholdsOf(given);
  const pushgateway = given.url('QUOTA_PUSHGATEWAY_URL');
  const { problems } = given;
  return problems.length > 0 ? { problems } : { settings: { namespace, sender, pushgateway, thresholds } };
}

/** Reads variables and collects their problems. */
class GivenVariables {
  readonly problems: Problem[] = [];

  constructor(private readonly environment: Environment) {}

  refuse(name: Name, reason: string, remedy: string, code: Problem['code'] = 'bad-format', value?: string): void {
    this.problems.push({
      code,
      object: 'environment',
      path: [name],
      reason,
      remedy,
      ...(value !== undefined && { value }),
    });
  }

  url(name: Name): URL | undefined {
    const text = this.environment[name];
    if (!text) return undefined;
    const found = URL.canParse(text) ? new URL(text) : undefined;
    if (found && /^https?:$/.test(found.protocol)) return found;
    this.refuse(name, 'is not an http or https URL', 'use one such as https://hooks.example.com/quota');
    return undefined;
  }

  number(name: Name, usual: number, most: number): number {
    const text = this.environment[name];
    if (!text) return usual;
    const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
    if (value > 0 && value <= most) return value;
    this.refuse(name, 'is not a number in range', `use a number above 0 and at most ${most}`, 'out-of-range', text);
    return usual;
  }
}

function senderOf(given: GivenVariables, environment: Environment): Sender | undefined {
  const [webhook, alertmanager] = [given.url('QUOTA_WEBHOOK_URL'), given.url('QUOTA_ALERTMANAGER_URL')];
  if (webhook && alertmanager)
    given.refuse(
      'QUOTA_WEBHOOK_URL',
      'is set together with QUOTA_ALERTMANAGER_URL',
      'set one of the two',
      'invalid-combination',
    );
  const token = (name: Name) => (environment[name] ? { token: environment[name] } : {});
  return webhook
    ? webhookSender({ url: webhook, ...token('QUOTA_WEBHOOK_TOKEN') })
    : alertmanager && alertmanagerSender({ url: alertmanager, ...token('QUOTA_ALERTMANAGER_TOKEN') });
}

function thresholdsOf(given: GivenVariables): Thresholds {
  const thresholds: Thresholds = {
    ...defaultThresholds,
    filling: given.number('QUOTA_FILLING_PERCENT', defaultThresholds.filling * 100, 100) / 100,
    nearlyFull: given.number('QUOTA_NEARLY_FULL_PERCENT', defaultThresholds.nearlyFull * 100, 100) / 100,
    fillingDays: given.number('QUOTA_FILLING_DAYS', defaultThresholds.fillingDays, 365),
    nearlyFullDays: given.number('QUOTA_NEARLY_FULL_DAYS', defaultThresholds.nearlyFullDays, 365),
  };
  if (thresholds.filling > thresholds.nearlyFull)
    given.refuse('QUOTA_FILLING_PERCENT', 'is more than QUOTA_NEARLY_FULL_PERCENT', 'lower it', 'invalid-combination');
  return thresholds;
}
