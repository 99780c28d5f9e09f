import { type ClientDay, clientHistory, historiesOf, historySelector } from '../../history';
import { resourceOf, type SharedInformerFactory, type LiveObject, type SharedInformer } from '../../kube';
import { apiBudgetUsage, type DayUsage } from '../../quota';

/** Clients of a project, as far as views need them. */
export interface RecordedClients {
  /** Days with single clients. */
  readonly days: readonly ClientDay[];
  /** Daily peaks of what an API budget limits. */
  readonly usage: readonly DayUsage[];
}

/** Days in memory: two weeks to compare, and the current one; those before have no single clients. */
const clientDays = 15;
/** Days of peaks in memory: those that a forecast uses. */
const usageDays = 190;

const noClients: RecordedClients = { days: [], usage: [] };

/** Histories of clients, which a client monitor records; a cluster without one has none. */
export class ClientHistories {
  private readonly informer: SharedInformer<readonly [string, RecordedClients] | undefined>;
  private readonly byProject = new Map<string, RecordedClients>();

  constructor(factory: SharedInformerFactory, namespace: string) {
    this.informer = factory.informer({
      resource: resourceOf('ConfigMap'),
      selection: { namespace, labelSelector: historySelector(clientHistory) },
      transform: recordedClientsOf,
      optional: true,
    });
    this.informer.addEventHandler({
      onAdd: (one) => one && this.byProject.set(...one),
      onUpdate: (_, one) => one && this.byProject.set(...one),
      onDelete: (one) => one && this.byProject.delete(one[0]),
    });
  }

  /** Returns the projects that have one. */
  projects(): readonly string[] {
    return [...this.byProject.keys()];
  }

  /** Returns the clients of a project; empty if unknown. */
  of(project: string): RecordedClients {
    return this.byProject.get(project) ?? noClients;
  }
}

const recordedClientsOf = (object: LiveObject): readonly [string, RecordedClients] | undefined => {
  const [found] = historiesOf(clientHistory, [object]).histories;
  if (!found) return undefined;
  const [project, days] = found;
  return [project, { days: days.slice(-clientDays), usage: apiBudgetUsage(days.slice(-usageDays)) }];
};
