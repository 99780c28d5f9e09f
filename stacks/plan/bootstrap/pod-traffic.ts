import { plainFile, type MachineFile } from './text/machine-file';

/** Addresses of the instance metadata service. */
const metadataService = { ipv4: '169.254.169.254', ipv6: 'fd00:ec2::254' } as const;
/** Ports of Services on nodes: the default of the API server. */
const nodePorts = '30000-32767';

/**
 * Returns the rules for traffic that a machine forwards, which is that of pods with a network of their own. Traffic of the
 * machine itself, of pods in its network, and to its own addresses is not forwarded.
 *
 * On its way to the node port of another machine, traffic of pods gets the address of this machine, and load balancers
 * have addresses of the same subnets. Their own ports are in the same range, so that only the first packet of a connection
 * is dropped, and not what pods answer.
 */
export const podTraffic = (workerSubnets: readonly string[]): MachineFile =>
  plainFile(
    '/etc/pinion/pod-traffic.nft',
    `# Replaces the table in one step. The priority is that of filters, and a drop is final for every network plugin.
table inet pinion_pods
delete table inet pinion_pods
table inet pinion_pods {
  chain forward {
    type filter hook forward priority filter; policy accept;
    ip daddr ${metadataService.ipv4} counter drop
    ip6 daddr ${metadataService.ipv6} counter drop
    ip daddr { ${workerSubnets.join(', ')} } tcp dport ${nodePorts} tcp flags & (syn | ack) == syn counter drop
  }
}
`,
  );
