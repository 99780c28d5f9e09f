import { type ConnectionSettings, type Log } from '@pinion-platform/pinion/client';
import {
  Controller,
  isStatusConditionTrue,
  Manager,
  type ReconcileRequest,
} from '@pinion-platform/pinion/controller-runtime';
import { registryName } from './topic-registry';
import { configMaps, type TopicSet, topicSets } from './topic-set';
import { managedBy, TopicSetReconciler } from './topic-set-reconciler';

export interface TopicControllerOptions {
  readonly settings: ConnectionSettings;
  /** Namespace of the registry and of the lease. */
  readonly namespace: string;
  readonly health: { readonly host: string; readonly port: number };
  readonly log: Log;
}

/** Runs the controller until the signal is aborted; rejects if it loses its lease. */
export async function runTopicController(options: TopicControllerOptions, stop: AbortSignal): Promise<void> {
  const { settings, namespace, health, log } = options;
  const manager = new Manager(settings, {
    userAgent: 'topic-controller/1.0.0',
    resources: [topicSets],
    log,
    health,
    leaderElection: { namespace, name: 'topic-controller' },
  });
  const sets = manager.cache.informer(topicSets);
  /** Sets that wait for a name may get it when the registry changes. */
  const waiting = (): readonly ReconcileRequest[] =>
    sets.store
      .list()
      .filter(({ status }) => !isStatusConditionTrue((status as TopicSet['status'])?.conditions, 'Ready'))
      .map(({ metadata }) => ({ namespace: metadata.namespace ?? '', name: metadata.name }));
  const [managedLabel] = Object.entries(managedBy);
  manager.add(
    new Controller(manager, {
      for: { resource: topicSets },
      owns: [{ resource: configMaps, selection: { labelSelector: (managedLabel ?? []).join('=') } }],
      watches: [
        {
          resource: configMaps,
          selection: { namespace, fieldSelector: `metadata.name=${registryName}` },
          map: waiting,
        },
      ],
      reconciler: new TopicSetReconciler(manager, namespace),
      maxConcurrentReconciles: 4,
    }),
  );
  await manager.start(stop);
}
