import { isPlainObject, manager, recommended, valueAt } from '../api';
import { isApiError, type KubeClient, type LiveObject, resourceOf, type SentObject } from '../kube';
import { levels, type Level } from './level';
import { listAllObjects } from './list-all';
import { type QuotaStore } from './store';
import { joinedDays, type DayUsage, type Usage } from './usage';
import { safeParseUsage, usageInput } from './usage-file';
import { type AlertStates } from './evaluate-project';

/** Retention of a history in days: a year, and five weeks to compare a season with the one before. */
const maxDays = 400;
/** Maximum bytes of one history: below the 1 MiB limit of an object, minus its metadata. */
const maxBytes = 900_000;
const attempts = 4;

const component = 'quota-usage';
const historyKey = 'usage.json';
/** Name of the ConfigMap that stores the alert states. */
const alertStatesName = 'quota-episodes';
/** Name of the ConfigMap with the history of a project. */
const historyName = (project: string): string => `${component}-${project}`;

const configMaps = resourceOf('ConfigMap');

/** Label selector of all histories. */
export const usageSelector = `${recommended.component}=${component}`;

/** Returns the histories that ConfigMaps hold; unreadable ones are skipped. */
export function historiesIn(objects: readonly LiveObject[]): Usage {
  return new Map(
    objects.flatMap((object) => {
      const project = object.metadata.name.slice(component.length + 1);
      const days = daysIn(object, project);
      return days ? [[project, days] as const] : [];
    }),
  );
}

/**
 * Stores everything in ConfigMaps of one namespace: a history for each project, and one for the alert states.
 *
 * One object per project, because a year of a thousand projects does not fit into one; in the quota monitor's own
 * namespace, so that it needs no other write access, and teams neither edit a history nor pay for it with their quota.
 */
export class ConfigMapStore implements QuotaStore {
  private readonly known = new Map<string, LiveObject>();

  constructor(
    private readonly client: KubeClient,
    private readonly namespace: string,
  ) {}

  async usage(): Promise<{ readonly usage: Usage; readonly unreadable: readonly string[] }> {
    // A history has up to 900 kB, so a page holds few.
    const objects = await listAllObjects(
      this.client,
      'ConfigMap',
      { namespace: this.namespace, labelSelector: usageSelector },
      20,
    );
    for (const object of objects) this.known.set(object.metadata.name.slice(component.length + 1), object);
    const usage = historiesIn(objects);
    return { usage, unreadable: [...this.known.keys()].filter((project) => !usage.has(project)) };
  }

  async record(project: string, day: DayUsage): Promise<readonly DayUsage[]> {
    for (let attempt = 1; ; attempt++) {
      const object = this.known.get(project);
      const before = object ? daysIn(object, project) : [];
      if (!before)
        throw new Error(`the history in ConfigMap ${historyName(project)} cannot be read; repair or delete it`);
      const days = joinedDays([...before, day]).slice(-maxDays);
      const text = limitedText(project, days);
      if (text === valueAt(object, ['data', historyKey])) return days;
      try {
        this.known.set(project, await this.write(project, text, object));
        return days;
      } catch (error) {
        // On a conflict, the peaks of both writers are merged.
        if (!isApiError(error, 409) || attempt >= attempts) throw error;
        const current = await this.client.get(configMaps, { name: historyName(project), namespace: this.namespace });
        if (current) this.known.set(project, current);
        else this.known.delete(project);
      }
    }
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
      await this.client.create(this.object(alertStatesName, 'quota-episodes', present as Record<string, string>));
    }
  }

  private write(project: string, text: string, object: LiveObject | undefined): Promise<LiveObject> {
    const desired = this.object(historyName(project), component, { [historyKey]: text });
    if (!object) return this.client.create(desired);
    const { resourceVersion } = object.metadata;
    return this.client.update({ ...desired, metadata: { ...desired.metadata, resourceVersion } } as SentObject);
  }

  private object(name: string, part: string, data: Readonly<Record<string, string>>): SentObject {
    const labels = { [recommended.managedBy]: manager, [recommended.component]: part };
    const metadata = { name, namespace: this.namespace, labels };
    return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data };
  }
}

/** Returns a history as text, without the oldest days if it would not fit. */
function limitedText(project: string, days: readonly DayUsage[]): string {
  let recent = days;
  for (;;) {
    const text = JSON.stringify(usageInput(new Map([[project, recent]])));
    if (text.length <= maxBytes || recent.length <= 1) return text;
    recent = recent.slice(Math.ceil(recent.length / 10));
  }
}

function daysIn(object: LiveObject, project: string): readonly DayUsage[] | undefined {
  return safeParseUsage(parseJson(valueAt(object, ['data', historyKey]))).usage?.get(project);
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
