import { manager, recommended, valueAt } from '../api';
import { isApiError, type KubeClient, listPages, type LiveObject, resourceOf, type SentObject } from '../kube';
import { type HistoryFormat } from './history-format';

const attempts = 4;
/** Histories per page: each has up to a megabyte. */
const pageSize = 20;
const configMaps = resourceOf('ConfigMap');

/** Records of several subjects, and the subjects whose records cannot be read. */
export interface StoredHistories<T> {
  readonly histories: ReadonlyMap<string, readonly T[]>;
  readonly unreadable: readonly string[];
}

/** Changes the records of a subject. */
export interface HistoryWriter<T> {
  /** Stores what a function makes of the records of a subject, and returns it; the function is called again after a conflict. */
  update(subject: string, change: (records: readonly T[]) => readonly T[]): Promise<readonly T[]>;
}

/** Label selector of all ConfigMaps of a history. */
export const historySelector = ({ component }: Pick<HistoryFormat<unknown>, 'component'>): string =>
  `${recommended.component}=${component}`;

/** Returns the records that ConfigMaps hold. */
export function historiesOf<T>(format: HistoryFormat<T>, objects: readonly LiveObject[]): StoredHistories<T> {
  const histories = new Map<string, readonly T[]>();
  const unreadable: string[] = [];
  for (const object of objects) {
    const subject = object.metadata.name.slice(format.component.length + 1);
    const records = recordsIn(format, object, subject);
    if (records) histories.set(subject, records);
    else unreadable.push(subject);
  }
  return { histories, unreadable };
}

/**
 * Stores a history in ConfigMaps of one namespace, one for each subject, because those of all subjects do not fit into one.
 *
 * They are in a namespace of the platform, so that a program that records needs no other write access, and teams neither
 * edit a history nor pay for it with their quota. The history of the subject without a name belongs to no project.
 */
export class ConfigMapHistory<T> implements HistoryWriter<T> {
  private readonly known = new Map<string, LiveObject>();

  constructor(
    private readonly client: KubeClient,
    private readonly namespace: string,
    private readonly format: HistoryFormat<T>,
  ) {}

  /** Returns all histories, and remembers them, so that an update does not read them again. */
  async readAll(): Promise<StoredHistories<T>> {
    const { client, namespace, format } = this;
    const labelSelector = historySelector(format);
    const objects: LiveObject[] = [];
    for await (const page of listPages(client, 'ConfigMap', { namespace, labelSelector }, pageSize))
      objects.push(...page);
    for (const object of objects) this.known.set(object.metadata.name, object);
    return historiesOf(format, objects);
  }

  async update(subject: string, change: (records: readonly T[]) => readonly T[]): Promise<readonly T[]> {
    const name = subject === '' ? this.format.component : `${this.format.component}-${subject}`;
    let object = this.known.get(name) ?? (await this.get(name));
    for (let attempt = 1; ; attempt++) {
      const before = object ? recordsIn(this.format, object, subject) : [];
      if (!before) throw new Error(`the history in ConfigMap ${name} cannot be read; repair or delete it`);
      const records = this.format.merge(change(before));
      const text = limitedText(this.format, records, subject);
      if (text === valueAt(object, ['data', this.format.key])) return records;
      // What cannot be read again would end the history: the stored one stays.
      if (!this.format.read(JSON.parse(text), subject))
        throw new Error(`the history in ConfigMap ${name} is not changed: its new records could not be read again`);
      try {
        const written = await this.write(name, text, object);
        if (this.known.has(name)) this.known.set(name, written);
        return records;
      } catch (error) {
        // Another process wrote it: its records are merged.
        if (!isApiError(error, 409) || attempt >= attempts) throw error;
        object = await this.get(name);
        this.known.delete(name);
      }
    }
  }

  private get(name: string): Promise<LiveObject | undefined> {
    return this.client.get(configMaps, { name, namespace: this.namespace });
  }

  private write(name: string, text: string, object: LiveObject | undefined): Promise<LiveObject> {
    const labels = { [recommended.managedBy]: manager, [recommended.component]: this.format.component };
    const version = object && { resourceVersion: object.metadata.resourceVersion };
    const metadata = { name, namespace: this.namespace, labels, ...version };
    const sent: SentObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { [this.format.key]: text } };
    return object ? this.client.update(sent) : this.client.create(sent);
  }
}

/** Returns records as text: without details, and then without the oldest, if they do not fit. */
function limitedText<T>(
  { write, maxBytes, shorten }: HistoryFormat<T>,
  records: readonly T[],
  subject: string,
): string {
  let recent = records;
  for (;;) {
    const text = JSON.stringify(write(recent, subject));
    if (Buffer.byteLength(text) <= maxBytes) return text;
    const shorter = shorten?.(recent);
    if (!shorter && recent.length <= 1) return text;
    recent = shorter ?? recent.slice(Math.ceil(recent.length / 10));
  }
}

function recordsIn<T>({ key, read }: HistoryFormat<T>, object: LiveObject, subject: string): readonly T[] | undefined {
  const text = valueAt(object, ['data', key]);
  try {
    return typeof text === 'string' ? read(JSON.parse(text), subject) : undefined;
  } catch {
    return undefined;
  }
}
