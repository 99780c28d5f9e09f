import { valueAt } from '../../api';
import { type LiveObject } from '../../kube';
import { textOf } from '../output/object-text';

/** A manifest as a user would write it. */
export interface CleanDocument {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: unknown;
}

/** Returns the Platform, its RuntimeProfile and the Projects, without the fields that the API server and other tools write; empty without a Platform. */
export function cleanDocuments(
  platforms: readonly LiveObject[],
  profiles: readonly LiveObject[],
  projects: readonly LiveObject[],
): readonly CleanDocument[] {
  const platform = platforms[0];
  if (!platform) return [];
  const profileName = valueAt(platform, ['spec', 'runtime', 'profile']);
  const activeProfiles = profiles.filter(({ metadata }) => metadata.name === profileName);
  const sorted = [...projects].sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  return [
    platform,
    ...activeProfiles,
    ...sorted.filter(({ metadata }) => metadata.deletionTimestamp === undefined),
  ].map(clean);
}

function clean({ apiVersion, kind, metadata, spec }: LiveObject): CleanDocument {
  const annotations = Object.entries(metadata.annotations ?? {}).filter(
    ([key]) => !/(^|\.)(kubernetes|k8s)\.io\//.test(key),
  );
  const labels = metadata.labels ?? {};
  return {
    apiVersion,
    kind,
    metadata: {
      name: metadata.name,
      ...(Object.keys(labels).length > 0 && { labels }),
      ...(annotations.length > 0 && { annotations: Object.fromEntries(annotations) }),
    },
    spec,
  };
}

/** Returns pulled documents as the text of `pinion.platform.yaml`, with their origin in the first line. */
export function pulledText(documents: readonly CleanDocument[]): string {
  const cluster = valueAt(documents[0], ['spec', 'cluster']);
  return `# Configuration of cluster ${String(cluster)}, written by "pinion platform pull"; pull again after a change.\n${textOf(documents, 'yaml')}`;
}
