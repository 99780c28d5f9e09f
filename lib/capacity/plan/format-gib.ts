/** Formats bytes as GiB with one decimal. */
export const formatGib = (bytes: number): string => `${(bytes / 1024 ** 3).toFixed(1)} GiB`;
