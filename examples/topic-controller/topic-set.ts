import { type LiveObject, type Resource, resourceOf } from '@pinion-platform/pinion/client';
import { type ObjectCondition } from '@pinion-platform/pinion/controller-runtime';

/** Resource of the topic sets, as manifests.yaml defines it. */
export const topicSets: Resource = {
  apiVersion: 'topics.example.com/v1',
  kind: 'TopicSet',
  plural: 'topicsets',
  namespaced: true,
};

export const configMaps = resourceOf('ConfigMap');

/** Topics of one namespace; the API server checks the spec against the schema in manifests.yaml. */
export interface TopicSet extends LiveObject {
  readonly spec: { readonly topics: readonly string[] };
  readonly status?: TopicSetStatus;
}

export interface TopicSetStatus {
  readonly observedGeneration: number;
  /** Number of reserved topics. */
  readonly topics: number;
  readonly conditions: readonly ObjectCondition[];
}
