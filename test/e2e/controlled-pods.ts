import { metadataKeys } from '../../lib/api';
import { completionIndexAnnotation } from '../../lib/expand/objects/job';
import { expectStatus } from '../control-plane/api-response';
import { type Cluster } from '../control-plane/cluster';
import { podBehavior } from '../control-plane/pod-behavior';
import { waitFor } from '../control-plane/wait-for';
import { smallTemplate } from './pinion-suite';

/** Pod fields that tests read. */
export interface ControlledPod {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly uid: string;
    readonly deletionTimestamp?: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly ownerReferences?: readonly { readonly kind: string; readonly name: string; readonly uid: string }[];
  };
  readonly spec: {
    readonly nodeName?: string;
    readonly containers: readonly {
      readonly name: string;
      readonly env?: readonly {
        readonly name: string;
        readonly value?: string;
        readonly valueFrom?: { readonly fieldRef?: { readonly fieldPath: string } };
      }[];
    }[];
    readonly [field: string]: unknown;
  };
  readonly status: { readonly phase: string };
}

/** Returns a template of pods that run until a test ends them. */
export const longRunningTemplate = (annotations: Readonly<Record<string, string>> = {}) =>
  smallTemplate({ [podBehavior.exitAfter]: 'never', ...annotations });

/** Pods of one workload, which tests can end with an exit code. */
export class ControlledPods {
  constructor(
    private readonly cluster: Cluster,
    private readonly namespace: string,
    private readonly workload: string,
  ) {}

  /** Lists all pods. */
  async all(): Promise<readonly ControlledPod[]> {
    const query = { labelSelector: `${metadataKeys.workload}=${this.workload}` };
    const path = `/api/v1/namespaces/${this.namespace}/pods`;
    const { body } = expectStatus(await this.cluster.client.request('GET', path, undefined, { query }), [200]);
    return (body as { items: readonly ControlledPod[] }).items;
  }

  /** Lists pods that have not ended and are not being deleted. */
  async alive(): Promise<readonly ControlledPod[]> {
    return (await this.all()).filter(isAlive);
  }

  /** Waits until exactly that many pods run; returns them. */
  running(count: number): Promise<readonly ControlledPod[]> {
    return waitFor(
      `${count} pods of ${this.workload} to run`,
      async () => {
        const alive = await this.alive();
        return alive.length === count && alive.every(({ status }) => status.phase === 'Running') ? alive : undefined;
      },
      { timeout: 120_000 },
    );
  }

  /** Waits until all pods are gone. */
  async gone(): Promise<void> {
    await waitFor(`the pods of ${this.workload} to be gone`, async () => (await this.all()).length === 0, {
      timeout: 120_000,
    });
  }

  /** Ends the pod of an index with an exit code; a Job name selects among several Jobs. */
  async end(index: number, code = 0, job?: string): Promise<ControlledPod> {
    const pod = await waitFor(
      `pod ${index} of ${this.workload} to run`,
      async () =>
        (await this.alive()).find(
          (one) =>
            indexOf(one) === index &&
            one.status.phase === 'Running' &&
            (job === undefined || one.metadata.ownerReferences?.[0]?.name === job),
        ),
      { timeout: 120_000 },
    );
    await this.endPod(pod, code);
    return pod;
  }

  /** Ends one pod with an exit code. */
  async endPod({ metadata: { name } }: ControlledPod, code = 0): Promise<void> {
    const annotations = { [podBehavior.exitAfter]: '0s', [podBehavior.exitCode]: String(code) };
    const path = `/api/v1/namespaces/${this.namespace}/pods/${name}`;
    const contentType = 'application/merge-patch+json';
    expectStatus(
      await this.cluster.client.request('PATCH', path, { metadata: { annotations } }, { contentType }),
      [200],
    );
  }
}

/** Returns whether a pod has not ended and is not being deleted. */
export const isAlive = ({ metadata, status }: ControlledPod): boolean =>
  metadata.deletionTimestamp === undefined && status.phase !== 'Succeeded' && status.phase !== 'Failed';

/** Returns the shard or member index of a pod. */
export const indexOf = ({ metadata }: ControlledPod): number =>
  Number(metadata.annotations?.[completionIndexAnnotation] ?? metadata.labels[metadataKeys.member] ?? 0);
