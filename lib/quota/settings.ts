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
  const variables = new VariableReader(environment);
  const namespace = environment['PINION_PROJECT'] ?? '';
  if (namespace === '')
    variables.report('PINION_PROJECT', 'is missing', 'set it to the namespace of the quota monitor', 'required');
  const sender = senderOf(variables, environment);
  const thresholds = thresholdsOf(variables);
  const pushgateway = variables.url('QUOTA_PUSHGATEWAY_URL');
  const { problems } = variables;
  return problems.length > 0 ? { problems } : { settings: { namespace, sender, pushgateway, thresholds } };
}

/** Reads environment variables and collects their problems. */
class VariableReader {
  readonly problems: Problem[] = [];

  constructor(private readonly environment: Environment) {}

  report(name: Name, reason: string, remedy: string, code: Problem['code'] = 'bad-format', value?: string): void {
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
    this.report(name, 'is not an http or https URL', 'use a URL such as https://hooks.example.com/quota');
    return undefined;
  }

  number(name: Name, fallback: number, max: number): number {
    const text = this.environment[name];
    if (!text) return fallback;
    const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
    if (value > 0 && value <= max) return value;
    this.report(name, 'is out of range', `use a number above 0 and at most ${max}`, 'out-of-range', text);
    return fallback;
  }
}

function senderOf(variables: VariableReader, environment: Environment): Sender | undefined {
  const [webhook, alertmanager] = [variables.url('QUOTA_WEBHOOK_URL'), variables.url('QUOTA_ALERTMANAGER_URL')];
  if (webhook && alertmanager)
    variables.report(
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

function thresholdsOf(variables: VariableReader): Thresholds {
  const thresholds: Thresholds = {
    ...defaultThresholds,
    filling: variables.number('QUOTA_FILLING_PERCENT', defaultThresholds.filling * 100, 100) / 100,
    nearlyFull: variables.number('QUOTA_NEARLY_FULL_PERCENT', defaultThresholds.nearlyFull * 100, 100) / 100,
    fillingDays: variables.number('QUOTA_FILLING_DAYS', defaultThresholds.fillingDays, 365),
    nearlyFullDays: variables.number('QUOTA_NEARLY_FULL_DAYS', defaultThresholds.nearlyFullDays, 365),
  };
  if (thresholds.filling > thresholds.nearlyFull)
    variables.report(
      'QUOTA_FILLING_PERCENT',
      'is more than QUOTA_NEARLY_FULL_PERCENT',
      'lower it',
      'invalid-combination',
    );
  return thresholds;
}
