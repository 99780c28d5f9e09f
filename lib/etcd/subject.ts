import { bytesText } from '../api';

/** What the widths of a picture count. */
export type Measure = 'bytes' | 'nanoseconds' | 'count';

/** What a picture is of. */
export interface Subject {
  readonly measure: Measure;
  /** Whether frames are told apart by what is live and what only history holds. */
  readonly hasHistory: boolean;
  /** Name of the whole to a screen reader. */
  readonly label: string;
  /** What widths and colours mean, as a sentence without a full stop; and for two files. */
  readonly legend: string;
  readonly comparedLegend: string;
}

/** The key space of an etcd. */
export const keySpace: Subject = {
  measure: 'bytes',
  hasHistory: true,
  label: 'Key space',
  legend: 'Widths are bytes of all revisions; green is live, red is held only by history',
  comparedLegend: 'Widths are bytes of the larger file; red has grown, blue has shrunk',
};

/** A quantity as a person reads it. */
export function measureText(value: number, measure: Measure): string {
  if (measure === 'bytes') return bytesText(value);
  if (measure === 'count') return Math.round(value).toLocaleString('en-US');
  const milliseconds = value / 1e6;
  return Math.abs(milliseconds) < 1000
    ? `${Number(milliseconds.toFixed(1))} ms`
    : `${(milliseconds / 1000).toFixed(2)} s`;
}
