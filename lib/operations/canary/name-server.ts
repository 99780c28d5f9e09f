import { promises as dns } from 'node:dns';
import { type NameServer } from './canary-deps';

/** A name server of the cluster, by its addresses; that of the process where there are none. */
export function nameServer(servers: readonly string[] = []): NameServer {
  const resolver = new dns.Resolver({ timeout: 2000, tries: 2 });
  if (servers.length > 0) resolver.setServers([...servers]);
  return { name: resolver.getServers().join(', '), addresses: (name) => resolver.resolve4(name) };
}
