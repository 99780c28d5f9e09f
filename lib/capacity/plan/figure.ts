/** Unit of a figure. */
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

/** Inputs of a figure, by name; a name ends with the unit if it is not obvious. */
export type Inputs = Readonly<Record<string, number | string | boolean>>;

/** Derivation of a figure. */
export interface Reason {
  /** Rule in words. */
  readonly formula: string;
  readonly inputs: Inputs;
  /** Published measurement or documentation; starts with `estimate` if there is none. */
  readonly source: string;
}

/** A planned value with its derivation. */
export interface Figure<Value = unknown> extends Reason {
  readonly value: Value;
  readonly unit: Unit;
  /** Value without the override; present only if it is overridden. */
  readonly planned?: Value;
}
