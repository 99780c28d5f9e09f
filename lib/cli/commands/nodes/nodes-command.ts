import { UsageError } from '../../command/usage-error';
import { clusterOptions, withCluster, type ReadCluster } from '../../cluster/cluster-connection';
import { exitCodes } from '../../command/exit-codes';
import { reportNodes, type NodeReportInput } from './node-report';
import { nodesTable, nodeText } from './nodes-table';
import { textOutput } from '../../command/output-options';
import { defineCommand } from '../../command/command';

/** `pinion nodes`. */
export const nodesCommand = defineCommand({
  description: `Show projects, teams, tiers and workloads of each node, and what blocks draining it: disruption budgets that allow no disruption, pods without a controller, volumes on the node, and pods with an annotation that forbids eviction.

  idle       only daemon pods and finished pods are left; the machine can be recycled now
  drainable  nothing blocks a drain now
  blocked    something blocks a drain`,
  arguments: { node: { valueName: 'NODE', description: 'node to show in detail (default: all nodes)' } },
  options: {
    selector: {
      type: 'string',
      valueName: 'LABELS',
      description: 'labels of the nodes to show, such as node.example.com/pool=general',
    },
    ...clusterOptions,
    output: textOutput,
  },
  async run({ args, options }, io) {
    const { node: name } = args;
    if (name !== undefined && options.selector !== undefined)
      throw new UsageError('NODE cannot be combined with --selector');
    const input = await withCluster(options, io, (cluster) => fetchReportInput(cluster, name, options.selector));
    if (name !== undefined && input.nodes.length === 0) throw new UsageError(`no node ${name} in the cluster`);
    const reports = reportNodes(input);
    if (options.output === 'json') await io.write(`${JSON.stringify(reports, null, 2)}\n`);
    else await io.write(name === undefined ? nodesTable(reports) : reports.map(nodeText).join(''));
    return exitCodes.success;
  },
});

async function fetchReportInput(
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
