import {
  safeParseManifest,
  isError,
  ProblemsError,
  type PlatformManifest,
  type PlatformKind,
  type Problem,
} from '../../api';
import { type SchedulableNode } from '../../expand';
import { type LiveObject } from '../../kube';
import { TargetSnapshot } from '../preview/target-snapshot';

/** Where the documents and nodes of a cluster are read. */
interface DocumentSource {
  all(kind: PlatformKind): readonly LiveObject[];
  one(kind: PlatformKind, name: string): LiveObject | undefined;
  nodes(): readonly SchedulableNode[];
  /** Another number wherever what nodes offer is another. */
  nodesVersion(): number;
}

/** What a project can be looked at in, or why there is nothing. */
export type FoundTarget = { readonly known: TargetSnapshot } | { readonly problems: readonly Problem[] };

/** Projects whose workloads' footprints are remembered; more than a cluster has that is deployed to at the same time. */
const maxKnown = 1_000;

/** The documents of a cluster, completed once for each version of them, and each project as it is seen with them. */
export class KnownDocuments {
  private readonly completed = new Map<string, { readonly stamp: string; readonly document?: PlatformManifest }>();
  private readonly targets = new Map<string, { readonly stamp: string; readonly found: FoundTarget }>();

  constructor(
    private readonly name: string,
    private readonly source: DocumentSource,
  ) {}

  /** Projects that are sound. */
  projects(): PlatformManifest<'Project'>[] {
    return this.source.all('Project').flatMap((live) => {
      const document = this.documentOf(live);
      return document ? [document as PlatformManifest<'Project'>] : [];
    });
  }

  /** One project; undefined where there is none, or it is not sound. */
  project(name: string): PlatformManifest<'Project'> | undefined {
    const live = this.source.one('Project', name);
    return live && (this.documentOf(live) as PlatformManifest<'Project'> | undefined);
  }

  /** A project in its cluster; problems where the Platform is missing or does not fit together. */
  of(project: string): FoundTarget {
    const own = this.source.one('Project', project);
    const lives = [...this.source.all('Platform'), ...this.source.all('RuntimeProfile'), ...(own ? [own] : [])];
    const stamp = `${this.source.nodesVersion()} ${lives.map(stampOf).join(' ')}`;
    const kept = this.targets.get(project);
    if (kept?.stamp === stamp) return kept.found;
    const found = this.made(lives.flatMap((live) => this.documentOf(live) ?? []));
    this.targets.delete(project);
    this.targets.set(project, { stamp, found });
    const [oldest] = this.targets.keys();
    if (this.targets.size > maxKnown && oldest !== undefined) this.targets.delete(oldest);
    return found;
  }

  private made(documents: readonly PlatformManifest[]): FoundTarget {
    if (!documents.some(({ kind }) => kind === 'Platform')) return { problems: [noPlatform] };
    try {
      return { known: new TargetSnapshot({ name: this.name, documents, nodes: this.source.nodes() }) };
    } catch (error) {
      if (error instanceof ProblemsError) return { problems: error.problems };
      throw error;
    }
  }

  private documentOf(live: LiveObject): PlatformManifest | undefined {
    const key = `${live.kind}/${live.metadata.name}`;
    const stamp = stampOf(live);
    const known = this.completed.get(key);
    if (known?.stamp === stamp) return known.document;
    const { apiVersion, kind, metadata } = live;
    const written = {
      apiVersion,
      kind,
      metadata: { name: metadata.name, labels: metadata.labels },
      spec: live['spec'],
    };
    const { completed, problems } = safeParseManifest(written);
    const document = completed && !problems.some(isError) ? (completed as PlatformManifest) : undefined;
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
  remedy: 'ask the platform team to apply one',
};
