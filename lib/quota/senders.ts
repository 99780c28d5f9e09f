import { fetchText } from './fetch-text';
import { type Message } from './message';

/** A way to tell owners: a webhook or an Alertmanager. */
export interface Sender {
  /** What it is called in logs. */
  readonly name: string;
  /** Hands over the messages of one project, all or none. Throws an `ExchangeError` without any secret in it. */
  send(messages: readonly Message[]): Promise<void>;
}

/** Where messages go. */
export interface Receiver {
  /** May hold secrets; no message or log shows it. */
  readonly url: URL;
  /** Bearer token. @default - none */
  readonly token?: string;
  /** Milliseconds until an attempt is given up. @default 10000 */
  readonly timeout?: number;
}

const most = 64 * 1024;

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

/** Alerts live this long in Alertmanager: shorter than its repeat interval, so that nobody is told twice, or at night. */
const lifetime = 3_600_000;

/**
 * Posts to Alertmanager's API v2.
 *
 * Each message is an alert of its own that ends after an hour by itself: it says that a state was reached, which happens once.
 * Alertmanager repeats what lasts (after four hours as it ships), and would do so at night.
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

async function post({ token, timeout = 10_000 }: Receiver, url: URL, called: string, body: unknown): Promise<void> {
  const asked = { method: 'POST', url, called, body: JSON.stringify(body), timeout, most } as const;
  await fetchText({ ...asked, ...(token !== undefined && { token }) });
}
