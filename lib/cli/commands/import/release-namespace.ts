import { recommended } from '../../../api';
import { type NativeObject } from './native-object';

/** Namespace that Helm writes for that of a release that is rendered without one. */
const helmDefault = 'default';

/**
 * Returns what to do about objects of a chart in the namespace that Helm writes for a release without one; undefined if
 * there are none. Such a chart, often a dependency, names the namespace of its release, and others of it do not.
 */
export function releaseNamespaceHint(objects: readonly NativeObject[]): string | undefined {
  if (!objects.some((object) => object.metadata.namespace === helmDefault && isOfChart(object))) return undefined;
  return `Helm writes the namespace ${helmDefault} for that of a release that is rendered without -n: render the chart with helm template -n and the namespace of the release, and import that output`;
}

const isOfChart = ({ metadata: { labels = {} } }: NativeObject): boolean =>
  labels[recommended.managedBy] === 'Helm' ||
  labels['helm.sh/chart'] !== undefined ||
  ['Helm', 'Tiller'].includes(String(labels['heritage']));
