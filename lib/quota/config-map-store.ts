import { isPlainObject, manager, recommended, valueAt } from '../api';
import { ConfigMapHistory, historiesOf, type HistoryFormat, historySelector } from '../history';
import { isApiError, type KubeClient, type LiveObject, resourceOf, type SentObject } from '../kube';
import { levels, type Level } from './level';
import { type QuotaStore } from './store';
import { joinedDays, type DayUsage, type Usage } from './usage';
import { safeParseUsage, usageInput } from './usage-file';
import { type AlertStates } from './evaluate-project';

/** Retention of a history in days: a year, and five weeks to compare a season with the one before. */
const maxDays = 400;

const usageHistory: HistoryFormat<DayUsage> = {
  component: 'quota-usage',
  key: 'usage.json',
  maxBytes: 900_000,
  read: (value, project) => safeParseUsage(value).usage?.get(project),
  write: (days, project) => usageInput(new Map([[project, days]])),
  merge: (days) => joinedDays(days).slice(-maxDays),
};
/** Name of the ConfigMap that stores the alert states. */
const alertStatesName = 'quota-episodes';

const configMaps = resourceOf('ConfigMap');

/** Label selector of all histories. */
export const usageSelector = historySelector(usageHistory);

/** Returns the histories that ConfigMaps hold; unreadable ones are skipped. */
export const historiesIn = (objects: readonly LiveObject[]): Usage => historiesOf(usageHistory, objects).histories;

/** Stores daily peaks as a history, and the alert states in one ConfigMap of its namespace. */
export class ConfigMapStore implements QuotaStore {
  private readonly history: ConfigMapHistory<DayUsage>;

  constructor(
    private readonly client: KubeClient,
    private readonly namespace: string,
  ) {
    this.history = new ConfigMapHistory(client, namespace, usageHistory);
  }

  async usage(): Promise<{ readonly usage: Usage; readonly unreadable: readonly string[] }> {
    const { histories, unreadable } = await this.history.readAll();
    return { usage: histories, unreadable };
  }

  record(project: string, day: DayUsage): Promise<readonly DayUsage[]> {
    return this.history.update(project, (days) => [...days, day]);
  }

  async alertStates(): Promise<ReadonlyMap<string, AlertStates>> {
    const object = await this.client.get(configMaps, { name: alertStatesName, namespace: this.namespace });
    const data = (valueAt(object, ['data']) ?? {}) as Readonly<Record<string, string>>;
    return new Map(Object.entries(data).map(([project, text]) => [project, alertStatesIn(text)]));
  }

  async save(changes: ReadonlyMap<string, AlertStates>): Promise<void> {
    if (changes.size === 0) return;
    const entries = [...changes].map(([project, alertStates]): [string, string | null] => [
      project,
      Object.keys(alertStates).length > 0 ? JSON.stringify(alertStates) : null,
    ]);
    const data = Object.fromEntries(entries);
    try {
      await this.client.patch(configMaps, { name: alertStatesName, namespace: this.namespace }, { data });
    } catch (error) {
      if (!isApiError(error, 404)) throw error;
      const present = Object.fromEntries(entries.filter(([, text]) => text !== null));
      await this.client.create(alertStatesObject(this.namespace, present as Record<string, string>));
    }
  }
}

function alertStatesObject(namespace: string, data: Readonly<Record<string, string>>): SentObject {
  const labels = { [recommended.managedBy]: manager, [recommended.component]: alertStatesName };
  const metadata = { name: alertStatesName, namespace, labels };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data };
}

function parseJson(text: unknown): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

/** Drops invalid states: a repeated notice is better than none. */
function alertStatesIn(text: string): AlertStates {
  const value = parseJson(text);
  if (!isPlainObject(value)) return {};
  const isLevel = (name: unknown): name is Level => levels.some((level) => level === name);
  return Object.fromEntries(
    Object.entries(value).flatMap(([resource, state]) => {
      if (!isPlainObject(state)) return [];
      const { level, notified, since } = state;
      return isLevel(level) && isLevel(notified) && typeof since === 'string'
        ? [[resource, { level, notified, since }]]
        : [];
    }),
  );
}
