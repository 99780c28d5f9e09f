import { examine, isError, ProblemsError, type PlatformDocument, type PlatformKind, type Problem } from '../../api';
import { resolve, type Cluster, type World } from '../../expand';
import { type LiveObject } from '../../kube';

/** Where the documents of a cluster are read. */
export interface DocumentSource {
  all(kind: PlatformKind): readonly LiveObject[];
}

type Resolved = { readonly cluster: Cluster } | { readonly problems: readonly Problem[] };

/** The documents of a cluster, completed once for each version of them, and the world that they make. */
export class KnownDocuments {
  private readonly completed = new Map<string, { readonly stamp: string; readonly document?: PlatformDocument }>();
  private resolved: { readonly stamp: string; readonly found: Resolved } | undefined;

  constructor(private readonly source: DocumentSource) {}

  /** Documents of a kind that are sound. */
  all<K extends PlatformKind>(kind: K): PlatformDocument<K>[] {
    return this.source.all(kind).flatMap((live) => {
      const document = this.documentOf(live);
      return document ? [document as PlatformDocument<K>] : [];
    });
  }

  /** The world of a project; problems where the Platform is missing or does not fit together. */
  world(project: string): { readonly world: World } | { readonly problems: readonly Problem[] } {
    const found = this.cluster();
    return 'problems' in found ? found : { world: found.cluster.project(project) };
  }

  private cluster(): Resolved {
    const kinds: readonly PlatformKind[] = ['Platform', 'RuntimeProfile', 'Project'];
    const stamp = kinds.flatMap((kind) => this.source.all(kind).map(stampOf)).join(' ');
    if (this.resolved?.stamp !== stamp)
      this.resolved = { stamp, found: attempt(kinds.flatMap((kind) => this.all(kind) as PlatformDocument[])) };
    return this.resolved.found;
  }

  private documentOf(live: LiveObject): PlatformDocument | undefined {
    const key = `${live.kind}/${live.metadata.name}`;
    const stamp = stampOf(live);
    const known = this.completed.get(key);
    if (known?.stamp === stamp) return known.document;
    const { apiVersion, kind, metadata, spec } = live as LiveObject & { readonly spec?: unknown };
    const written = { apiVersion, kind, metadata: { name: metadata.name, labels: metadata.labels }, spec };
    const { completed, problems } = examine(written);
    const document = completed && !problems.some(isError) ? (completed as PlatformDocument) : undefined;
    this.completed.set(key, { stamp, ...(document && { document }) });
    return document;
  }
}

const stampOf = ({ metadata }: LiveObject): string =>
  `${metadata.uid}/${metadata.generation ?? metadata.resourceVersion}`;

const noPlatform: Problem = {
  code: 'unknown-reference',
  path: [],
  reason: 'the cluster has no Platform that can be read',
  remedy: 'let the people of the platform apply one',
};

function attempt(documents: readonly PlatformDocument[]): Resolved {
  if (!documents.some(({ kind }) => kind === 'Platform')) return { problems: [noPlatform] };
  try {
    return { cluster: resolve(documents) };
  } catch (error) {
    if (error instanceof ProblemsError) return { problems: error.problems };
    throw error;
  }
}
