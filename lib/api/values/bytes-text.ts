const steps = [
  [1024 ** 3, 'GiB'],
  [1024 ** 2, 'MiB'],
  [1024, 'KiB'],
] as const;

/** Formats bytes in the largest unit whose value is at least one. */
export function bytesText(bytes: number): string {
  const step = steps.find(([size]) => Math.abs(bytes) >= size);
  return step ? `${Number((bytes / step[0]).toFixed(1))} ${step[1]}` : `${Math.round(bytes)} B`;
}
