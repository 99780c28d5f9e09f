import { type Episodes } from './evaluate-project';
import { type DayUsage, type Usage } from './usage';

/** Store of daily peaks and of notice states between runs. */
export interface QuotaStore {
  /** Returns all readable histories, and the projects whose history cannot be read. */
  usage(): Promise<{ readonly usage: Usage; readonly unreadable: readonly string[] }>;
  /** Merges a day into the history of a project and returns the history; writes only if a peak rose. */
  record(project: string, day: DayUsage): Promise<readonly DayUsage[]>;
  /** Returns the notice state of each project. */
  episodes(): Promise<ReadonlyMap<string, Episodes>>;
  /** Stores the notice state of some projects, and keeps the others. */
  remember(changes: ReadonlyMap<string, Episodes>): Promise<void>;
}
