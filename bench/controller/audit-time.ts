/** Returns milliseconds since 1970, with a fraction: the audit log has microseconds. */
export function auditTime(timestamp: string): number {
  const [, whole = timestamp, fraction = '0'] = /^(.*?)(?:\.(\d+))?Z$/.exec(timestamp) ?? [];
  return Date.parse(`${whole}Z`) + Number(`0.${fraction}`) * 1000;
}
