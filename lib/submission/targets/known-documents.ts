import {
  safeParseManifest,
  isError,
  ProblemsError,
  type PlatformManifest,
  type PlatformKind,
  type Problem,
  type Status,
} from '../../api';
import {
  revisionStateOf,
  type RevisionProgress,
  type RevisionState,
  type SchedulableNode,
  type StoredRevision,
} from '../../expand';
import { type LiveObject } from '../../kube';
import { TargetSnapshot } from '../preview/target-snapshot';
import { type PlatformRecord } from '../preview/workload-contexts';

/** Source of a cluster's resources and nodes. */
interface DocumentSource {
  all(kind: PlatformKind): readonly LiveObject[];
  one(kind: PlatformKind, name: string): LiveObject | undefined;
  nodes(): readonly SchedulableNode[];
  /** Returns a number that changes whenever the capacity of a node does. */
  nodesVersion(): number;
}

/** Snapshot of a project's target, or why there is none. */
export type FoundTarget = { readonly snapshot: TargetSnapshot } | { readonly problems: readonly Problem[] };

/**
 * Maximum number of projects whose workloads' footprints are cached; more than are deployed to at the same time in one
 * cluster.
 */
const maxCachedTargets = 1_000;

/** Platform resources of a cluster, parsed once per version, and a snapshot for each project. */
export class KnownDocuments {
  private readonly parsed = new Map<string, { readonly stamp: string; readonly document?: PlatformManifest }>();
  private readonly targets = new Map<string, { readonly stamp: string; readonly found: FoundTarget }>();

  constructor(
    private readonly name: string,
    private readonly source: DocumentSource,
  ) {}

  /** Returns the valid projects. */
  projects(): PlatformManifest<'Project'>[] {
    return this.source.all('Project').flatMap((live) => {
      const document = this.documentOf(live);
      return document ? [document as PlatformManifest<'Project'>] : [];
    });
  }

  /** Returns the Platform; undefined if it does not exist or is invalid. */
  platform(): PlatformManifest<'Platform'> | undefined {
    const [live] = this.source.all('Platform');
    return live && (this.documentOf(live) as PlatformManifest<'Platform'> | undefined);
  }

  /** Returns a revision of the Platform; undefined if it does not exist or is invalid. */
  revision(name: string): PlatformManifest<'PlatformRevision'> | undefined {
    const live = this.source.one('PlatformRevision', name);
    return live && (this.documentOf(live) as PlatformManifest<'PlatformRevision'> | undefined);
  }

  /** Returns a project; undefined if it does not exist or is invalid. */
  project(name: string): PlatformManifest<'Project'> | undefined {
    const live = this.source.one('Project', name);
    return live && (this.documentOf(live) as PlatformManifest<'Project'> | undefined);
  }

  /** Returns the snapshot of a project; problems if the Platform is missing or inconsistent. */
  of(project: string): FoundTarget {
    const own = this.source.one('Project', project);
    const objects = [...this.source.all('Platform'), ...this.source.all('RuntimeProfile'), ...(own ? [own] : [])];
    const [platform] = this.source.all('Platform');
    const runtime = (platform?.['status'] as Status<'Platform'> | undefined)?.runtime;
    const revisions = this.revisionsFor(project);
    const records = JSON.stringify([runtime, revisions && revisionStamp(revisions)]);
    const stamp = `${this.source.nodesVersion()} ${objects.map(stampOf).join(' ')} ${records}`;
    const cached = this.targets.get(project);
    if (cached?.stamp === stamp) return cached.found;
    const found = this.createSnapshot(
      objects.flatMap((live) => this.documentOf(live) ?? []),
      { runtime, revisions },
    );
    this.targets.delete(project);
    this.targets.set(project, { stamp, found });
    const [oldest] = this.targets.keys();
    if (this.targets.size > maxCachedTargets && oldest !== undefined) this.targets.delete(oldest);
    return found;
  }

  /** Returns the revisions that the workloads of a project follow; releases of other projects make no new snapshot. */
  private revisionsFor(project: string): RevisionState | undefined {
    const platform = this.platform();
    const [live] = this.source.all('Platform');
    if (!platform?.spec.rollouts) return undefined;
    const isOwn = ({ workload }: { readonly workload: string }): boolean => workload.split('/')[1] === project;
    const rollouts = this.source.all('PlatformRollout').map((rollout) => {
      const status = (rollout['status'] ?? {}) as Partial<Status<'PlatformRollout'>>;
      return { ...rollout, status: { ...status, transit: status.transit?.filter(isOwn) } };
    });
    const revisions = this.source.all('PlatformRevision').flatMap((revision): StoredRevision[] => {
      const { name, creationTimestamp: created } = revision.metadata;
      const manifest = this.documentOf(revision) as PlatformManifest<'PlatformRevision'> | undefined;
      return manifest ? [{ name, created, spec: manifest.spec }] : [];
    });
    const own = this.source.one('Project', project);
    return revisionStateOf(platform, live?.['status'], { revisions, rollouts, projects: own ? [own] : [] });
  }

  private createSnapshot(documents: readonly PlatformManifest[], record: PlatformRecord): FoundTarget {
    if (!documents.some(({ kind }) => kind === 'Platform')) return { problems: [noPlatform] };
    try {
      return { snapshot: new TargetSnapshot({ name: this.name, documents, ...record, nodes: this.source.nodes() }) };
    } catch (error) {
      if (error instanceof ProblemsError) return { problems: error.problems };
      throw error;
    }
  }

  private documentOf(live: LiveObject): PlatformManifest | undefined {
    const key = `${live.kind}/${live.metadata.name}`;
    const stamp = stampOf(live);
    const known = this.parsed.get(key);
    if (known?.stamp === stamp) return known.document;
    const { apiVersion, kind, metadata } = live;
    const manifestInput = {
      apiVersion,
      kind,
      metadata: { name: metadata.name, labels: metadata.labels },
      spec: live['spec'],
    };
    const { manifest, problems } = safeParseManifest(manifestInput);
    const document = manifest && !problems.some(isError) ? (manifest as PlatformManifest) : undefined;
    this.parsed.set(key, { stamp, ...(document && { document }) });
    return document;
  }
}

const stampOf = ({ metadata }: LiveObject): string =>
  `${metadata.uid}/${metadata.generation ?? metadata.resourceVersion}`;

/** Content of a revision never changes, so that its name stands for it. Which revision a workload follows depends on no more. */
const revisionStamp = ({ projects, revisions, ...state }: RevisionState): object => ({
  ...progressStamp(state),
  projects: [...(projects ?? [])].map(([name, project]) => [name, progressStamp(project), project.known]),
  revisions: revisions.map(({ name }) => name),
});

const progressStamp = ({ released, current, completed, isTested }: RevisionProgress): object => ({
  ...{ current, completed, isTested, released: [...released] },
});

const noPlatform: Problem = {
  code: 'unknown-reference',
  path: [],
  reason: 'the cluster has no Platform that can be read',
  remedy: 'ask the platform team to apply one',
};
