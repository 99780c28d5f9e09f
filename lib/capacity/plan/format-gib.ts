/** Bytes as a person reads them in a problem: GiB with one decimal. */
export const formatGib = (bytes: number): string => `${(bytes / 1024 ** 3).toFixed(1)} GiB`;
