import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** Metrics of one reflector. */
export interface ReflectorMeter {
  /** Records a complete list; a streamed list has no duration. */
  recordList(milliseconds: number | undefined, items: number): void;
  /** Records the end of a watch. */
  recordWatch(milliseconds: number, messages: number): void;
  /** Records a watch that its idle timeout ended. */
  recordIdleTimeout(): void;
  /** Sets the last observed resource version. */
  setVersion(resourceVersion: string): void;
  /** Records an object that cannot be decoded. */
  recordUndecodable(): void;
  /** Removes the reflector's gauge. */
  close(): void;
}

/** A watch shorter than this many milliseconds without events counts as short, as in client-go. */
const shortWatch = 1_000;
const labelNames = ['name'] as const;

/** Metrics of all reflectors of a process, named as in client-go, with the kind as label `name`. */
export class ReflectorMetrics {
  private readonly lists: Counter<'name'>;
  private readonly listTime: Histogram<'name'>;
  private readonly listItems: Histogram<'name'>;
  private readonly watches: Counter<'name'>;
  private readonly shortWatches: Counter<'name'>;
  private readonly idleTimeouts: Counter<'name'>;
  private readonly watchTime: Histogram<'name'>;
  private readonly watchItems: Histogram<'name'>;
  private readonly lastVersion: Gauge<'name'>;
  private readonly undecodableObjects: Counter<'name'>;

  constructor(registry: Registry) {
    const counter = (name: string, help: string): Counter<'name'> =>
      new Counter({ name, help, labelNames, registers: [registry] });
    const histogram = (name: string, help: string, buckets: number[]): Histogram<'name'> =>
      new Histogram({ name, help, labelNames, buckets, registers: [registry] });
    const counts = [0, 1, 10, 100, 1_000, 10_000, 100_000];
    this.lists = counter('reflector_lists_total', 'Total number of complete lists.');
    this.listTime = histogram(
      'reflector_list_duration_seconds',
      'How long in seconds a list takes.',
      [0.01, 0.1, 0.5, 1, 5, 30],
    );
    this.listItems = histogram('reflector_items_per_list', 'How many objects a list returns.', counts);
    this.watches = counter('reflector_watches_total', 'Total number of watches.');
    this.shortWatches = counter(
      'reflector_short_watches_total',
      'Total number of watches that ended within a second without events.',
    );
    this.idleTimeouts = counter(
      'pinion_watch_idle_timeouts_total',
      'Total number of watches that ended by their idle timeout.',
    );
    this.watchTime = histogram(
      'reflector_watch_duration_seconds',
      'How long in seconds a watch lasts.',
      [1, 10, 60, 300, 600],
    );
    this.watchItems = histogram('reflector_items_per_watch', 'How many events a watch returns.', counts);
    this.undecodableObjects = counter(
      'pinion_undecodable_objects_total',
      'Total number of object versions that could not be decoded.',
    );
    this.lastVersion = new Gauge({
      name: 'reflector_last_resource_version',
      help: 'Last observed resource version.',
      labelNames,
      registers: [registry],
    });
  }

  /** Returns the metrics of one reflector. */
  meter(name: string): ReflectorMeter {
    const labels = { name };
    return {
      recordList: (milliseconds, items) => {
        this.lists.inc(labels);
        if (milliseconds !== undefined) this.listTime.observe(labels, milliseconds / 1000);
        this.listItems.observe(labels, items);
      },
      recordWatch: (milliseconds, messages) => {
        this.watches.inc(labels);
        if (milliseconds < shortWatch && messages === 0) this.shortWatches.inc(labels);
        this.watchTime.observe(labels, milliseconds / 1000);
        this.watchItems.observe(labels, messages);
      },
      recordIdleTimeout: () => this.idleTimeouts.inc(labels),
      setVersion: (version) => this.lastVersion.set(labels, Number(version)),
      recordUndecodable: () => this.undecodableObjects.inc(labels),
      close: () => this.lastVersion.remove(labels),
    };
  }
}
