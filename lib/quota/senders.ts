import { fetchText } from './fetch-text';
import { type Message } from './message';

/** Sends notices to a webhook or an Alertmanager. */
export interface Sender {
  /** Name in logs. */
  readonly name: string;
  /** Sends the notices of one project, all or none. Throws an `ExternalRequestError` without secrets. */
  send(messages: readonly Message[]): Promise<void>;
}

/** Receiver of notices. */
export interface Receiver {
  /** May hold secrets; no message or log shows it. */
  readonly url: URL;
  /** Bearer token. @default - none */
  readonly token?: string;
  /** Timeout of an attempt in milliseconds. @default 10000 */
  readonly timeout?: number;
}

const maxBytes = 64 * 1024;

/** Posts `{project, team, onCall, alerts: […]}` for each project. */
export const webhookSender = (receiver: Receiver): Sender => ({
  name: 'webhook',
  async send(messages) {
    const [first] = messages;
    if (!first) return;
    const { project, team, onCall } = first;
    await post(receiver, receiver.url, 'the webhook', { project, team, onCall, alerts: messages });
  },
});

/** Lifetime of an alert in Alertmanager: shorter than its repeat interval, so that it is not sent twice, or at night. */
const lifetime = 3_600_000;

/**
 * Posts to Alertmanager's API v2.
 *
 * Each notice is its own alert that ends after an hour: it reports a change of state, which happens once. Alertmanager
 * repeats lasting alerts (every four hours by default), even at night.
 */
export const alertmanagerSender = (receiver: Receiver): Sender => ({
  name: 'alertmanager',
  async send(messages) {
    const url = new URL(receiver.url);
    url.pathname = `${url.pathname.replace(/\/+$/, '')}/api/v2/alerts`;
    const alerts = messages.map(({ project, team, onCall, resource, state, text, at, ...facts }) => ({
      labels: {
        alertname: 'ProjectQuota',
        project,
        namespace: project,
        team,
        resource,
        state,
        severity: state === 'full' ? 'critical' : state === 'recovered' ? 'info' : 'warning',
      },
      annotations: {
        summary: text,
        used: facts.used,
        quota: facts.quota,
        ...(onCall !== undefined && { onCall }),
        ...(facts.fullOn !== undefined && { fullOn: facts.fullOn }),
      },
      startsAt: at,
      endsAt: new Date(Date.parse(at) + lifetime).toISOString(),
    }));
    await post(receiver, url, 'Alertmanager', alerts);
  },
});

async function post({ token, timeout = 10_000 }: Receiver, url: URL, server: string, body: unknown): Promise<void> {
  const request = { method: 'POST', url, server, body: JSON.stringify(body), timeout, maxBytes } as const;
  await fetchText({ ...request, ...(token !== undefined && { token }) });
}
