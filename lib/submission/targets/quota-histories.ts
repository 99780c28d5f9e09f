import { resourceOf, type InformerFactory, type LiveObject, type SharedInformer } from '../../kube';
import { historiesIn, usageSelector, type DayUsage } from '../../quota';

/** Daily peaks from the quota monitor; a cluster without one has none. */
export class QuotaHistories {
  private readonly mirror: SharedInformer<readonly [string, readonly DayUsage[]] | undefined>;
  private readonly names = new Map<string, readonly DayUsage[]>();

  constructor(factory: InformerFactory, namespace: string) {
    this.mirror = factory.informer({
      resource: resourceOf('ConfigMap'),
      selection: { namespace, labelSelector: usageSelector },
      transform: historyOf,
      optional: true,
    });
    this.mirror.addHandler({
      added: (one) => one && this.names.set(...one),
      updated: (_, one) => one && this.names.set(...one),
      deleted: (one) => one && this.names.delete(one[0]),
    });
  }

  /** Returns the daily peaks of a project; empty if unknown. */
  of(project: string): readonly DayUsage[] {
    return this.names.get(project) ?? [];
  }
}

const historyOf = (object: LiveObject): readonly [string, readonly DayUsage[]] | undefined => {
  const [found] = historiesIn([object]);
  return found && [...found];
};
