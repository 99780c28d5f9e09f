import * as z from 'zod';
import { nameNotReserved } from '../fields/claim-template';
import { daemonRules } from '../rules/daemon-rules';
import { absolutePath, duration, keyedList, label, listOf, quantity, integer } from '../schema/field';
import { withRules } from '../schema/field-facts';
import { servicePort } from '../fields/load-balancer';
import { type Toleration } from '../native';
import { nativeLeaf } from '../schema/native-leaf';
import { countOrPercent } from '../fields/rollout';
import { workloadFields } from '../fields/workload-fields';
import { workloadRules } from '../rules/workload-rules';
import { countColumn, lastWorkloadColumns, readyColumn } from '../crd/printer-columns';
import { workloadStatusFields, statusCount } from '../fields/status-fields';
import { onePodTemplate, type WorkloadKindDefinition } from './kind-definition';

/** A folder or file of the node that the daemon sees. */
const hostPath = () =>
  withRules(
    z.strictObject({
      name: label('logs').describe('Name of the volume.'),
      path: absolutePath('/var/log').describe('Path on the node; the Project must allow it.'),
      mountPath: absolutePath('/host/var/log').describe("Where the app's containers see it."),
      readOnly: z.boolean().default(true).describe('Whether they may only read it.'),
      type: z
        .enum(['DirectoryOrCreate', 'Directory', 'FileOrCreate', 'File', 'Socket', 'CharDevice', 'BlockDevice'])
        .optional()
        .describe('What must be there; unchecked where left out.'),
      followMounts: z
        .boolean()
        .default(false)
        .describe('Whether file systems that the node mounts below it later are seen too.'),
    }),
    [nameNotReserved],
  );

const update = () =>
  z.strictObject({
    strategy: z
      .enum(['RollingUpdate', 'OnDelete'])
      .default('RollingUpdate')
      .describe('Whether pods are replaced, or wait until somebody deletes them.'),
    maxUnavailable: countOrPercent()
      .optional()
      .describe('Nodes without a ready pod during an update; 1 where neither this nor maxSurge is given.'),
    maxSurge: countOrPercent()
      .optional()
      .describe('Nodes with an old and a new pod during an update, instead of maxUnavailable.'),
    minReady: duration().default('0s').describe('How long a new pod must be ready before it counts.'),
    revisionHistoryLimit: integer(0, 100).default(5).describe('Old versions to keep for a roll back.'),
  });

/** Schema of `PinterestDaemon.spec`: one pod on every node, for infrastructure projects. */
export const daemonSpec = () =>
  withRules(
    z.strictObject({
      pools: listOf(label('general'), 64, 1)
        .optional()
        .describe('Node pools that it runs on; all nodes where left out.'),
      tolerateAll: z.boolean().default(true).describe('Whether it runs on nodes with taints, failing ones included.'),
      tolerations: nativeLeaf<readonly Toleration[]>('Toleration', 32)
        .optional()
        .describe('Taints that it tolerates beside those of its pools, where it does not tolerate all.'),
      critical: z
        .boolean()
        .default(false)
        .describe('Whether its pods are as important as the node itself (system-node-critical).'),
      update: update().prefault({}).describe('How new versions replace old ones.'),
      host: z
        .strictObject({
          network: z.boolean().default(false).describe("Whether it uses the node's network."),
          pid: z.boolean().default(false).describe("Whether it sees the node's processes."),
          ipc: z.boolean().default(false).describe("Whether it uses the node's IPC."),
          paths: keyedList(hostPath(), ['name'], 32).default([]).describe('Folders and files of the node.'),
        })
        .prefault({})
        .describe('Access to the node, as far as the Project allows.'),
      nodeBudget: z
        .strictObject({
          cpu: quantity().optional().describe('Most CPU that its pod may ask for, injected containers included.'),
          memory: quantity().optional().describe('Most memory that its pod may ask for, injected containers included.'),
        })
        .optional()
        .describe('What it may cost on every node, in requests.'),
      ports: keyedList(servicePort(), ['name'], 32)
        .optional()
        .describe('Ports of a Service that leads to the pod on the own node.'),
      ...workloadFields(),
    }),
    [...daemonRules, ...workloadRules],
  );

/** PinterestDaemon: One pod on every node, for infrastructure projects. */
export const pinterestDaemonKind = {
  plural: 'pinterestdaemons',
  singular: 'pinterestdaemon',
  shortNames: ['pds'],
  scope: 'Namespaced',
  summary: 'One pod on every node, for infrastructure projects.',
  traits: { lifecycle: 'Continuous', scales: false, serves: false, hasMembers: false, perNode: true },
  podTemplates: onePodTemplate,
  columns: [
    readyColumn,
    countColumn('Desired', '.status.desiredNodes'),
    countColumn('ReadyNodes', '.status.readyNodes'),
    countColumn('Updated', '.status.updatedNodes'),
    ...lastWorkloadColumns,
  ],
  spec: daemonSpec,
  status: () =>
    z.strictObject({
      ...workloadStatusFields(),
      desiredNodes: statusCount().optional().describe('Nodes that should run it.'),
      readyNodes: statusCount().optional().describe('Nodes on which it is ready.'),
      updatedNodes: statusCount().optional().describe('Nodes that run the newest version.'),
    }),
} as const satisfies WorkloadKindDefinition;
