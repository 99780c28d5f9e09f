import { promises as dns } from 'node:dns';
import { type DnsResolver } from './canary-deps';

/** Creates a resolver for name server addresses; without addresses, it uses those of the process. */
export function createDnsResolver(servers: readonly string[] = []): DnsResolver {
  const resolver = new dns.Resolver({ timeout: 2000, tries: 2 });
  if (servers.length > 0) resolver.setServers([...servers]);
  return { name: resolver.getServers().join(', '), addresses: (name) => resolver.resolve4(name) };
}
