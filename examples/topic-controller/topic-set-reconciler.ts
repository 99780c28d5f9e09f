import { isDeepStrictEqual } from 'node:util';
import {
  type EventContent,
  type EventRecorder,
  isApiError,
  type KubeClient,
  type SentObject,
} from '@pinion-platform/pinion/client';
import {
  addFinalizer,
  containsFinalizer,
  isControlledBy,
  type Manager,
  type Reconciler,
  type ReconcileRequest,
  type ReconcileResult,
  removeFinalizer,
  setControllerReference,
  setStatusCondition,
} from '@pinion-platform/pinion/controller-runtime';
import { TopicRegistry } from './topic-registry';
import { configMaps, type TopicSet, topicSets, type TopicSetStatus } from './topic-set';

/** Keeps a deleted set until its topics are released: the registry is in another namespace, so no owner reference does it. */
export const finalizer = 'topics.example.com/registry';

/** Label of the ConfigMaps that the controller creates. */
export const managedBy = { 'app.kubernetes.io/managed-by': 'topic-controller' } as const;

/** Reserves the topics of a set, and publishes them to its namespace in a ConfigMap. */
export class TopicSetReconciler implements Reconciler {
  private readonly client: KubeClient;
  private readonly registry: TopicRegistry;
  private readonly recorder: EventRecorder;

  constructor(
    private readonly manager: Pick<Manager, 'client' | 'apiClient' | 'clock' | 'eventRecorderFor'>,
    registryNamespace: string,
  ) {
    this.client = manager.client;
    // Without the cache: a decision on names needs the latest version.
    this.registry = new TopicRegistry(manager.apiClient, registryNamespace);
    this.recorder = manager.eventRecorderFor('topic-controller');
  }

  async reconcile(request: ReconcileRequest): Promise<ReconcileResult> {
    const set = (await this.client.get(topicSets, request)) as TopicSet | undefined;
    if (!set) return {};
    if (set.metadata.deletionTimestamp !== undefined) return this.release(set);
    // Before the first reservation: otherwise nothing would release it if the set was deleted right now.
    const kept = containsFinalizer(set, finalizer)
      ? set
      : ((await this.client.update(addFinalizer(set, finalizer))) as TopicSet);
    const reservation = await this.registry.reserve(kept);
    if ('taken' in reservation) {
      const { taken, by } = reservation;
      return this.report(kept, 'False', 'TopicTaken', `topic ${taken} belongs to ${by}: choose another name`);
    }
    if (!(await this.publish(kept))) {
      const message = `the ConfigMap ${configMapName(kept)} has another owner: delete it, or rename this TopicSet`;
      return this.report(kept, 'False', 'ConfigMapTaken', message);
    }
    return this.report(kept, 'True', 'Reserved', `${reservation.reserved} topics are reserved`, reservation.reserved);
  }

  private async release(set: TopicSet): Promise<ReconcileResult> {
    if (!containsFinalizer(set, finalizer)) return {};
    await this.registry.release(set);
    await this.client.update(removeFinalizer(set, finalizer));
    return {};
  }

  /** Writes the ConfigMap of a set; returns false if it is not the set's own, because it must not take over others. */
  private async publish(set: TopicSet): Promise<boolean> {
    const { namespace = '' } = set.metadata;
    const data = { topics: set.spec.topics.join('\n') };
    const live = await this.manager.apiClient.get(configMaps, { name: configMapName(set), namespace });
    if (live && !isControlledBy(live, set)) return false;
    if (live) {
      if (!isDeepStrictEqual(live['data'], data)) await this.client.update({ ...live, data });
      return true;
    }
    const configMap: SentObject = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: configMapName(set), namespace, ...{ labels: managedBy } },
      data,
    };
    try {
      await this.client.create(setControllerReference(set, configMap));
      return true;
    } catch (error) {
      // Another one created it after the read.
      if (isApiError(error, 409) && error.reason === 'AlreadyExists') return false;
      throw error;
    }
  }

  /** Writes a changed status, and records an event with it. */
  private async report(
    set: TopicSet,
    status: 'True' | 'False',
    reason: string,
    message: string,
    topics = 0,
  ): Promise<ReconcileResult> {
    const { generation = 0 } = set.metadata;
    const ready = { type: 'Ready', status, reason, message, observedGeneration: generation };
    const next: TopicSetStatus = {
      observedGeneration: generation,
      topics,
      conditions: setStatusCondition(set.status?.conditions, ready, this.manager.clock.now()),
    };
    if (isDeepStrictEqual(set.status, next)) return {};
    await this.client.updateStatus({ ...set, status: next });
    const type: EventContent['type'] = status === 'True' ? 'Normal' : 'Warning';
    this.recorder.event(set, { type, reason, message });
    return {};
  }
}

const configMapName = ({ metadata }: TopicSet): string => `${metadata.name}-topics`;
