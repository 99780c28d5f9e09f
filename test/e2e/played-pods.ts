import { metadataKeys } from '../../lib/api';
import { completionIndexAnnotation } from '../../lib/expand/objects/job';
import { expectStatus } from '../control-plane/answer';
import { type Cluster } from '../control-plane/cluster';
import { behaviour } from '../control-plane/pod-behaviour';
import { waitFor } from '../control-plane/wait-for';
import { smallTemplate } from './pinion-suite';

/** What tests look at in a pod. */
export interface PlayedPod {
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

/** A pod that runs until a test ends it. */
export const patientTemplate = (annotations: Readonly<Record<string, string>> = {}) =>
  smallTemplate({ [behaviour.exitAfter]: 'never', ...annotations });

/** The pods of one workload, oldest name first, and how a test has them end. */
export class PlayedPods {
  constructor(
    private readonly cluster: Cluster,
    private readonly namespace: string,
    private readonly workload: string,
  ) {}

  /** All that are there. */
  async all(): Promise<readonly PlayedPod[]> {
    const query = { labelSelector: `${metadataKeys.workload}=${this.workload}` };
    const path = `/api/v1/namespaces/${this.namespace}/pods`;
    const { body } = expectStatus(await this.cluster.client.request('GET', path, undefined, { query }), [200]);
    return (body as { items: readonly PlayedPod[] }).items;
  }

  /** Those that have not ended and are not ending. */
  async alive(): Promise<readonly PlayedPod[]> {
    return (await this.all()).filter(isAlive);
  }

  /** Waits until exactly so many run; gives them. */
  running(count: number): Promise<readonly PlayedPod[]> {
    return waitFor(
      `${count} pods of ${this.workload} to run`,
      async () => {
        const alive = await this.alive();
        return alive.length === count && alive.every(({ status }) => status.phase === 'Running') ? alive : undefined;
      },
      { timeout: 120_000 },
    );
  }

  /** Waits until none is there. */
  async gone(): Promise<void> {
    await waitFor(`the pods of ${this.workload} to be gone`, async () => (await this.all()).length === 0, {
      timeout: 120_000,
    });
  }

  /** Has the living pod of a member end with a code; of a job by its name where there are several. */
  async end(index: number, code = 0, job?: string): Promise<PlayedPod> {
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

  /** Has one pod end with a code. */
  async endPod({ metadata: { name } }: PlayedPod, code = 0): Promise<void> {
    const annotations = { [behaviour.exitAfter]: '0s', [behaviour.exitCode]: String(code) };
    const path = `/api/v1/namespaces/${this.namespace}/pods/${name}`;
    const contentType = 'application/merge-patch+json';
    expectStatus(
      await this.cluster.client.request('PATCH', path, { metadata: { annotations } }, { contentType }),
      [200],
    );
  }
}

/** Whether a pod has neither ended nor is ending. */
export const isAlive = ({ metadata, status }: PlayedPod): boolean =>
  metadata.deletionTimestamp === undefined && status.phase !== 'Succeeded' && status.phase !== 'Failed';

/** Index of the shard or member that a pod is. */
export const indexOf = ({ metadata }: PlayedPod): number =>
  Number(metadata.annotations?.[completionIndexAnnotation] ?? metadata.labels[metadataKeys.member] ?? 0);
