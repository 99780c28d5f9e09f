import { resourceOf, type SharedInformerFactory, type LiveObject, type SharedInformer } from '../../kube';
import { historiesIn, usageSelector, type DayUsage } from '../../quota';

/** Daily peaks from the quota monitor; a cluster without one has none. */
export class QuotaHistories {
  private readonly informer: SharedInformer<readonly [string, readonly DayUsage[]] | undefined>;
  private readonly historyByProject = new Map<string, readonly DayUsage[]>();

  constructor(factory: SharedInformerFactory, namespace: string) {
    this.informer = factory.informer({
      resource: resourceOf('ConfigMap'),
      selection: { namespace, labelSelector: usageSelector },
      transform: historyOf,
      optional: true,
    });
    this.informer.addEventHandler({
      onAdd: (one) => one && this.historyByProject.set(...one),
      onUpdate: (_, one) => one && this.historyByProject.set(...one),
      onDelete: (one) => one && this.historyByProject.delete(one[0]),
    });
  }

  /** Returns the daily peaks of a project; empty if unknown. */
  of(project: string): readonly DayUsage[] {
    return this.historyByProject.get(project) ?? [];
  }
}

const historyOf = (object: LiveObject): readonly [string, readonly DayUsage[]] | undefined => {
  const [found] = historiesIn([object]);
  return found && [...found];
};
