import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** What one reflector reports of itself. */
export interface ReflectorMeter {
  /** A whole list was read; a streamed one has no time of its own. */
  listed(milliseconds: number | undefined, items: number): void;
  /** A watch ended, however it did. */
  watched(milliseconds: number, messages: number): void;
  /** A watch was given up because nothing came. */
  silent(): void;
  version(resourceVersion: string): void;
  /** An object was set aside. */
  broken(): void;
  /** Removes what it reported. */
  close(): void;
}

/** A watch shorter than this many milliseconds that brought nothing counts as short, as in client-go. */
const short = 1_000;
const labelNames = ['name'] as const;

/** Metrics of all reflectors of a process, under client-go's names, with the kind as `name`. */
export class ReflectorMetrics {
  private readonly lists: Counter<'name'>;
  private readonly listTime: Histogram<'name'>;
  private readonly listItems: Histogram<'name'>;
  private readonly watches: Counter<'name'>;
  private readonly shortWatches: Counter<'name'>;
  private readonly silentWatches: Counter<'name'>;
  private readonly watchTime: Histogram<'name'>;
  private readonly watchItems: Histogram<'name'>;
  private readonly lastVersion: Gauge<'name'>;
  private readonly brokenObjects: Counter<'name'>;

  constructor(registry: Registry) {
    const counter = (name: string, help: string): Counter<'name'> =>
      new Counter({ name, help, labelNames, registers: [registry] });
    const histogram = (name: string, help: string, buckets: number[]): Histogram<'name'> =>
      new Histogram({ name, help, labelNames, buckets, registers: [registry] });
    const counts = [0, 1, 10, 100, 1_000, 10_000, 100_000];
    this.lists = counter('reflector_lists_total', 'Lists that were read to their end');
    this.listTime = histogram('reflector_list_duration_seconds', 'How long a list took', [0.01, 0.1, 0.5, 1, 5, 30]);
    this.listItems = histogram('reflector_items_per_list', 'Objects in a list', counts);
    this.watches = counter('reflector_watches_total', 'Watches that ended');
    this.shortWatches = counter('reflector_short_watches_total', 'Watches that ended within a second with nothing');
    this.silentWatches = counter('reflector_silent_watches_total', 'Watches given up because nothing came');
    this.watchTime = histogram('reflector_watch_duration_seconds', 'How long a watch lasted', [1, 10, 60, 300, 600]);
    this.watchItems = histogram('reflector_items_per_watch', 'Messages of a watch', counts);
    this.brokenObjects = counter('reflector_broken_objects_total', 'Versions of objects that were set aside');
    this.lastVersion = new Gauge({
      name: 'reflector_last_resource_version',
      help: 'Last resource version that was seen',
      labelNames,
      registers: [registry],
    });
  }

  /** The meter of one reflector. */
  meter(name: string): ReflectorMeter {
    const labels = { name };
    return {
      listed: (milliseconds, items) => {
        this.lists.inc(labels);
        if (milliseconds !== undefined) this.listTime.observe(labels, milliseconds / 1000);
        this.listItems.observe(labels, items);
      },
      watched: (milliseconds, messages) => {
        this.watches.inc(labels);
        if (milliseconds < short && messages === 0) this.shortWatches.inc(labels);
        this.watchTime.observe(labels, milliseconds / 1000);
        this.watchItems.observe(labels, messages);
      },
      silent: () => this.silentWatches.inc(labels),
      version: (version) => this.lastVersion.set(labels, Number(version)),
      broken: () => this.brokenObjects.inc(labels),
      close: () => this.lastVersion.remove(labels),
    };
  }
}
