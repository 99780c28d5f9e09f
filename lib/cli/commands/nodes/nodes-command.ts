import { UsageError } from '../../command/arguments';
import { clusterHelp, clusterOptions, withCluster, type ReadCluster } from '../../cluster/cluster-connection';
import { exitCodes } from '../../command/exit-codes';
import { reportNodes, type NodeReportInput } from './node-report';
import { nodesTable, nodeText } from './nodes-table';
import { defineCommand } from '../../command/command';

const help = `pinion nodes [options] [NODE]

Says who runs on each machine (projects, teams, tiers, workloads) and what would block draining it: budgets with no disruption
left, pods that nobody makes anew, volumes on the node, pods that ask not to be evicted. With NODE, all about that one.

  idle       only daemons and pods that ended are left: it can be recycled now
  drainable  nothing blocks a drain now
  blocked    something does

  --selector LABELS  nodes with these labels, such as node.example.com/pool=general
${clusterHelp}
  -o, --output       text or json
`;

/** `pinion nodes`: who runs on each machine. */
export const nodesCommand = defineCommand({
  help,
  options: {
    ...clusterOptions,
    selector: { type: 'string' },
    output: { type: 'string', short: 'o', values: ['text', 'json'] },
  },
  async run({ positionals, values }, io) {
    const [name, ...others] = positionals;
    if (others.length > 0) throw new UsageError('nodes takes one name, or none for all nodes');
    if (name !== undefined && values.selector !== undefined)
      throw new UsageError('give the name of a node or --selector, not both');
    const facts = await withCluster(values, io, (cluster) => factsOf(cluster, name, values.selector));
    if (name !== undefined && facts.nodes.length === 0) throw new UsageError(`there is no node ${name} in the cluster`);
    const reports = reportNodes(facts);
    if (values.output === 'json') await io.write(`${JSON.stringify(reports, null, 2)}\n`);
    else await io.write(name === undefined ? nodesTable(reports) : reports.map(nodeText).join(''));
    return exitCodes.success;
  },
});

async function factsOf(
  cluster: ReadCluster,
  name: string | undefined,
  selector: string | undefined,
): Promise<NodeReportInput> {
  const node = name === undefined ? undefined : await cluster.get('Node', name);
  if (name !== undefined && !node) return { nodes: [], pods: [], budgets: [], projects: [] };
  const [nodes, pods, budgets, projects] = await Promise.all([
    node ? [node] : cluster.list('Node', selector === undefined ? {} : { labelSelector: selector }),
    cluster.list('Pod', name === undefined ? {} : { fieldSelector: `spec.nodeName=${name}` }),
    cluster.list('PodDisruptionBudget'),
    cluster.listIfKnown('Project'),
  ]);
  return { nodes, pods, budgets, projects };
}
