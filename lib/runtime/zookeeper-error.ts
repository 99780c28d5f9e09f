/** What a server can answer instead of a result; numbers of ZooKeeper's KeeperException.Code. */
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

/** A request that ZooKeeper refused, or that was lost with its connection (`connectionLoss`): that one may have been carried out. */
export class ZookeeperError extends Error {
  override readonly name = 'ZookeeperError' as const;

  constructor(readonly code: number) {
    const known = Object.entries(zookeeperCodes).find(([, number]) => number === code)?.[0];
    super(`ZooKeeper answered ${known ?? 'an error'} (${code})`);
  }
}
