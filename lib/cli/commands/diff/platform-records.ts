import { type PlatformManifest, type Status } from '../../../api';
import { revisionStateOf, storedRevisionsOf, type RevisionState, type RuntimeStatus } from '../../../expand';
import { type LiveObject } from '../../../kube';
import { type ClusterConnection } from '../../cluster/cluster-connection';

/** What the controller has recorded of the Platform of a cluster; read once, when it is needed. */
export class PlatformRecords {
  private read: Promise<LiveObject | undefined> | undefined;
  private lists: Promise<Record<'revisions' | 'rollouts' | 'projects', readonly LiveObject[]>> | undefined;

  constructor(private readonly connection: ClusterConnection) {}

  /** Returns which profiles the Platform has recorded; undefined if it cannot be read. */
  async runtime(): Promise<RuntimeStatus | undefined> {
    return ((await this.platform())?.['status'] as Status<'Platform'> | undefined)?.runtime;
  }

  /** Returns the state of the revisions of a cluster; undefined if its workloads do not follow revisions of this Platform. */
  async revisions(platform: PlatformManifest<'Platform'>): Promise<RevisionState | undefined> {
    if (!platform.spec.rollouts) return undefined;
    const status = (await this.platform())?.['status'];
    if (!revisionStateOf(platform, status, { revisions: [], rollouts: [] })) return undefined;
    const { client, kube } = this.connection;
    const list = (kind: string) => kube.listAllPages(client, kind, {});
    const read = async () => {
      const [revisions, rollouts, projects] = await Promise.all([
        list('PlatformRevision'),
        list('PlatformRollout'),
        // Without permission, workloads are compared at the present Projects.
        list('Project').catch((error: unknown) => {
          if (kube.isApiError(error, 403, 404)) return [];
          throw error;
        }),
      ]);
      return { revisions, rollouts, projects };
    };
    const { revisions, ...lists } = await (this.lists ??= read());
    return revisionStateOf(platform, status, { revisions: storedRevisionsOf(revisions), ...lists });
  }

  private platform(): Promise<LiveObject | undefined> {
    const { client, kube } = this.connection;
    return (this.read ??= client.get(kube.resourceOf('Platform'), { name: 'cluster' }).catch((error: unknown) => {
      if (kube.isApiError(error, 403, 404)) return undefined;
      throw error;
    }));
  }
}
