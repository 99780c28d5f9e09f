import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nativeKinds, pinionKinds, type ManifestInput } from '../../lib/api';
import { type ImpactReport } from '../../lib/cli/commands/impact/impact-report';
import { kindOfPod } from '../../lib/expand';
import { type ChangedObject, type ClusterImpact } from '../../lib/impact';
import { expectStatus } from '../control-plane/api-response';
import { type AuditMark } from '../control-plane/audit';
import { runCommand } from '../control-plane/command';
import { waitFor } from '../control-plane/wait-for';
import { type KubectlObject } from './kubectl-view';
import { controllerUser, type PinionCluster } from './pinion-suite';
import { rolloutsComplete } from './rollouts-complete';

/** The shipped command line. */
export const shippedCommandLine = join(__dirname, '..', '..', 'build', 'bin', 'pinion.js');

/** Pods of each workload that runs until it is replaced, by their UIDs. */
export type PodsByWorkload = ReadonlyMap<string, readonly string[]>;

/** Kinds by their plural names in the audit log. */
const kindsByPlural = new Map(
  Object.entries({ ...nativeKinds, ...pinionKinds }).map(([kind, { plural }]) => [plural, kind] as const),
);

/** Compares what `pinion impact report` predicts of a cluster with what happens there. */
export class ImpactProof {
  constructor(
    private readonly pinion: () => PinionCluster,
    private readonly folder: string,
    /** Time in which a change of the whole fleet is expected to end, and between two looks at it, in milliseconds. */
    private readonly patience: { readonly timeout: number; readonly interval: number },
  ) {}

  /** Returns the impact of applying documents, as the command line reports it. */
  async impactOf(documents: readonly ManifestInput[], commandLine = shippedCommandLine): Promise<ClusterImpact> {
    const file = join(this.folder, 'change.yaml');
    writeFileSync(file, documents.map((document) => JSON.stringify(document)).join('\n---\n'));
    const { kubeconfig } = this.pinion().cluster;
    const inputs = documents.length > 0 ? [file] : [];
    const args = ['impact', 'report', '--live', '--kubeconfig', kubeconfig, ...inputs, '-o', 'json'];
    const { stdout, stderr } = await runCommand(process.execPath, [commandLine, ...args], '', {});
    if (stdout === '') throw new Error(stderr);
    const { clusters } = JSON.parse(stdout) as ImpactReport;
    return clusters[0] as ClusterImpact;
  }

  /** Returns the pods of each workload that runs until it is replaced. */
  async podsByWorkload(): Promise<PodsByWorkload> {
    const found = new Map<string, string[]>();
    for (const { metadata } of await this.list('/api/v1/pods', 'Pod')) {
      const { labels = {}, uid, ownerReferences = [] } = metadata;
      const name = labels['pinterest.com/workload'];
      if (name === undefined || ownerReferences.some(({ kind }) => kind === 'Job')) continue;
      const { namespace = '' } = metadata as { readonly namespace?: string };
      const key = `${kindOfPod(labels)} ${namespace}/${name}`;
      found.set(key, [...(found.get(key) ?? []), uid]);
    }
    return found;
  }

  /** Waits until the controller is idle and all rollouts are complete. */
  async settled(): Promise<void> {
    let rounds = 0;
    await waitFor(
      'the controller to be idle and all rollouts to be complete',
      async () => {
        const isSettled = (await this.isIdle()) && (await this.isRolledOut()) && (await this.isIdle());
        rounds = isSettled ? rounds + 1 : 0;
        return rounds >= 3 ? true : undefined;
      },
      this.patience,
    );
  }

  /** Lists the controller's writes to objects, without those of statuses, as `patch Deployment/cart`. */
  writesSince(mark: AuditMark): readonly string[] {
    return this.pinion()
      .cluster.audit.since(mark, { user: controllerUser })
      .filter(({ verb, objectRef, responseStatus }) => {
        const isWrite = ['create', 'update', 'patch', 'delete'].includes(verb);
        const isOwn = ['events', 'leases'].includes(objectRef?.resource ?? '') || objectRef?.subresource !== undefined;
        return isWrite && !isOwn && (responseStatus?.code ?? 500) < 300;
      })
      .map(
        ({ verb, objectRef = {} }) =>
          `${verb} ${kindsByPlural.get(objectRef.resource ?? '') ?? objectRef.resource}/${objectRef.name}`,
      )
      .sort();
  }

  private async isIdle(): Promise<boolean> {
    const { text } = await this.pinion().controller.get('/metrics');
    const values = text.split('\n').filter((line) => /^workqueue_(depth|unfinished_work_seconds)\b/.test(line));
    return values.length > 0 && values.every((line) => Number(line.split(' ').at(-1)) === 0);
  }

  private async isRolledOut(): Promise<boolean> {
    for (const [path, kind] of [
      ['/apis/apps/v1/deployments', 'Deployment'],
      ['/apis/apps/v1/statefulsets', 'StatefulSet'],
      ['/apis/apps/v1/daemonsets', 'DaemonSet'],
      ['/api/v1/pods', 'Pod'],
    ] as const)
      if (!rolloutsComplete(await this.list(path, kind))) return false;
    return true;
  }

  /** The items of a list have no kind. */
  private async list(path: string, kind: string): Promise<readonly KubectlObject[]> {
    const { body } = expectStatus(await this.pinion().cluster.client.request('GET', path), [200]);
    return (body as { readonly items: readonly KubectlObject[] }).items.map((item) => ({ ...item, kind }));
  }
}

/** Returns the workloads of which a pod no longer exists. */
export const restartedBetween = (before: PodsByWorkload, after: PodsByWorkload): readonly string[] =>
  [...before].flatMap(([key, pods]) => {
    const left = new Set(after.get(key));
    return pods.every((uid) => left.has(uid)) ? [] : [key];
  });

/** Returns the workloads whose restart an impact predicts, now or in a rollout. */
export const predictedRestarts = ({ workloads }: ClusterImpact): readonly string[] =>
  workloads
    .filter(({ outcome }) => outcome === 'restarts')
    .map(({ kind, project, name }) => `${kind} ${project}/${name}`);

const verbs: Readonly<Record<ChangedObject['change'], readonly string[]>> = {
  created: ['patch'],
  changed: ['patch'],
  replaced: ['delete', 'patch'],
  removed: ['delete'],
  removedLater: [],
  kept: [],
};

/** Returns the writes that an impact predicts for certain, as `patch Deployment/cart`. */
export const predictedWrites = ({ workloads, platform }: ClusterImpact): readonly string[] =>
  [...workloads, ...platform]
    .flatMap(({ changed }) => changed.flatMap(({ object, change }) => verbs[change].map((verb) => `${verb} ${object}`)))
    .sort();

/** Returns the writes that an impact predicts for the first change that a running Job cannot take. */
export const possibleWrites = ({ workloads }: ClusterImpact): ReadonlySet<string> =>
  new Set(
    workloads.flatMap(({ changed }) =>
      changed.filter(({ change }) => change === 'kept').map(({ object }) => `patch ${object}`),
    ),
  );

/** Returns a generator of numbers below 1 (mulberry32), so that a failure can be repeated. */
export function randomFrom(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
