/** Error codes of ZooKeeper (KeeperException.Code). */
export const zookeeperCodes = {
  connectionLoss: -4,
  noNode: -101,
  noAuth: -102,
  badVersion: -103,
  nodeExists: -110,
  sessionExpired: -112,
  authFailed: -115,
  sessionMoved: -118,
} as const;

/** Request that ZooKeeper rejected, or that was lost with its connection (`connectionLoss`) and may have succeeded. */
export class ZookeeperError extends Error {
  override readonly name = 'ZookeeperError' as const;

  constructor(readonly code: number) {
    const known = Object.entries(zookeeperCodes).find(([, number]) => number === code)?.[0];
    super(`ZooKeeper returned ${known ?? 'an error'} (${code})`);
  }
}
