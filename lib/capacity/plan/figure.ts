/** What a number counts; a figure has one, and only figures of one unit are added. */
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

/** What a figure was computed from, by name; names end in what they count where that is not plain. */
export type Inputs = Readonly<Record<string, number | string | boolean>>;

/** Why a figure is what it is. */
export interface Reason {
  /** The rule in words. */
  readonly formula: string;
  readonly inputs: Inputs;
  /** Who measured or documented it; `ours` where it is a judgement. */
  readonly source: string;
}

/** One value of a plan, with its reason. */
export interface Figure<Value = unknown> extends Reason {
  readonly value: Value;
  readonly unit: Unit;
  /** What the plan had said; present exactly where the value is an override. */
  readonly planned?: Value;
}
