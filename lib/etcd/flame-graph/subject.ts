import { bytesText } from '../../api';

/** Unit of the widths of a flame graph. */
export type FrameUnit = 'bytes' | 'nanoseconds' | 'count';

/** Subject of a flame graph. */
export interface FlameSubject {
  readonly unit: FrameUnit;
  /** Whether frames distinguish live bytes and history. */
  readonly hasHistory: boolean;
  /** Accessible name of the graph. */
  readonly label: string;
  /** Legend of widths and colors without a final period; the second one is for comparisons. */
  readonly legend: string;
  readonly comparedLegend: string;
}

/** Key space of etcd. */
export const keySpace: FlameSubject = {
  unit: 'bytes',
  hasHistory: true,
  label: 'Key space',
  legend: 'Widths are bytes of all revisions; green is live, red is history',
  comparedLegend: 'Widths are bytes of the larger file; red has grown, blue has shrunk',
};

/** Formats a quantity for display. */
export function formatFrameValue(value: number, unit: FrameUnit): string {
  if (unit === 'bytes') return bytesText(value);
  if (unit === 'count') return Math.round(value).toLocaleString('en-US');
  const milliseconds = value / 1e6;
  return Math.abs(milliseconds) < 1000
    ? `${Number(milliseconds.toFixed(1))} ms`
    : `${(milliseconds / 1000).toFixed(2)} s`;
}
