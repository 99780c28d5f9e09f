/** Unit of a figure; only figures of one unit are added. */
export type Unit =
  | 'bytes'
  | 'GiB'
  | 'MB/s'
  | 'IOPS'
  | 'seconds'
  | 'percent'
  | 'cores'
  | 'seats'
  | 'shares'
  | 'nodes'
  | 'pods'
  | 'members'
  | 'entries'
  | 'workers'
  | 'requests'
  | 'requests/s'
  | 'events/s'
  | 'pods/s'
  | 'fraction'
  | 'none';

/** Inputs of a figure, by name; names end in the unit where it is not obvious. */
export type Inputs = Readonly<Record<string, number | string | boolean>>;

/** Derivation of a figure. */
export interface Reason {
  /** The rule in words. */
  readonly formula: string;
  readonly inputs: Inputs;
  /** Who measured or documented it; starts with `estimate` if no one has. */
  readonly source: string;
}

/** A planned value with its reason. */
export interface Figure<Value = unknown> extends Reason {
  readonly value: Value;
  readonly unit: Unit;
  /** Value without the override; present only if the value is an override. */
  readonly planned?: Value;
}
