import * as z from 'zod';
import { nameNotReserved } from '../fields/claim-template';
import { daemonRules } from '../rules/daemon-rules';
import { absolutePath, duration, keyedList, label, listOf, quantity, integer } from '../schema/field';
import { withRules } from '../schema/field-facts';
import { servicePort } from '../fields/load-balancer';
import { type PlatformPodFields, continuousPodFields, podFlag, tierPriority } from '../fields/platform-pod-fields';
import { type Toleration } from '../native';
import { nativeLeaf } from '../schema/native-leaf';
import { countOrPercent } from '../fields/rollout';
import { workloadFields } from '../fields/workload-fields';
import { workloadRulesOf } from '../rules/workload-rules';
import { countColumn, lastWorkloadColumns, readyColumn } from '../crd/printer-columns';
import { workloadStatusFields, statusCount } from '../fields/status-fields';
import { onePodTemplate, type WorkloadKindDefinition, type KindSchemas } from './kind-definition';

/** A folder or file of the node to mount. */
const hostPath = () =>
  withRules(
    z.strictObject({
      name: label('logs').describe('Name of the volume.'),
      path: absolutePath('/var/log').describe('Path on the node; the Project must allow it.'),
      mountPath: absolutePath('/host/var/log').describe('Mount path in the containers of the app.'),
      readOnly: z.boolean().default(true).describe('Whether to mount the path read-only.'),
      type: z
        .enum(['DirectoryOrCreate', 'Directory', 'FileOrCreate', 'File', 'Socket', 'CharDevice', 'BlockDevice'])
        .optional()
        .describe('Required type of the path. Defaults to no check.'),
      followMounts: z
        .boolean()
        .default(false)
        .describe('Whether to propagate file systems that the node mounts under the path later.'),
    }),
    [nameNotReserved],
  );

const update = () =>
  z.strictObject({
    strategy: z
      .enum(['RollingUpdate', 'OnDelete'])
      .default('RollingUpdate')
      .describe('Update strategy: RollingUpdate replaces pods, OnDelete waits until they are deleted.'),
    maxUnavailable: countOrPercent()
      .optional()
      .describe(
        'Maximum number of nodes without an available pod during an update, absolute or in percent. Defaults to 1 without maxSurge.',
      ),
    maxSurge: countOrPercent()
      .optional()
      .describe('Maximum number of nodes with both an old and a new pod during an update, absolute or in percent.'),
    minReady: duration().default('0s').describe('Time that a new pod must be ready before it counts as available.'),
    revisionHistoryLimit: integer(0, 100).default(5).describe('Number of old revisions to keep for rollbacks.'),
  });

const podFields = {
  ...continuousPodFields,
  priorityClassName: {
    ...tierPriority,
    equals: (value) => `self.spec.critical ? ${value} == "system-node-critical" : ${tierPriority.equals(value)}`,
  },
  hostNetwork: podFlag('self.spec.host.network'),
  hostPID: podFlag('self.spec.host.pid'),
  hostIPC: podFlag('self.spec.host.ipc'),
} satisfies PlatformPodFields;

/** Schema of `PinterestDaemon.spec`: one pod on every node, for infrastructure projects. */
export const daemonSpec = () =>
  withRules(
    z.strictObject({
      pools: listOf(label('general'), 64, 1).optional().describe('Node pools to run on. Defaults to all nodes.'),
      tolerateAll: z
        .boolean()
        .default(true)
        .describe('Whether to tolerate all taints, those of failing nodes included.'),
      tolerations: nativeLeaf<readonly Toleration[]>('Toleration', 32)
        .optional()
        .describe('Tolerations besides those for its pools, if tolerateAll is false.'),
      critical: z.boolean().default(false).describe('Whether to use the priority class system-node-critical.'),
      update: update().prefault({}).describe('Update strategy.'),
      host: z
        .strictObject({
          network: z.boolean().default(false).describe("Whether to use the node's network namespace."),
          pid: z.boolean().default(false).describe("Whether to use the node's process namespace."),
          ipc: z.boolean().default(false).describe("Whether to use the node's IPC namespace."),
          paths: keyedList(hostPath(), ['name'], 32).default([]).describe('Folders and files of the node to mount.'),
        })
        .prefault({})
        .describe('Access to the node; the Project must allow it.'),
      nodeBudget: z
        .strictObject({
          cpu: quantity().optional().describe('Maximum CPU request of the pod, injected containers included.'),
          memory: quantity().optional().describe('Maximum memory request of the pod, injected containers included.'),
        })
        .optional()
        .describe('Maximum resource requests on every node.'),
      ports: keyedList(servicePort(), ['name'], 32)
        .optional()
        .describe('Ports of a Service that routes to the pod on the same node.'),
      ...workloadFields(podFields),
    }),
    [...daemonRules, ...workloadRulesOf()],
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
  podFields,
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
      desiredNodes: statusCount().optional().describe('Number of nodes that should run a pod.'),
      readyNodes: statusCount().optional().describe('Number of nodes with a ready pod.'),
      updatedNodes: statusCount().optional().describe('Number of nodes with a pod of the newest revision.'),
    }),
} as const satisfies WorkloadKindDefinition & KindSchemas;
