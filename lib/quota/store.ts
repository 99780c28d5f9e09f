import { type AlertStates } from './evaluate-project';
import { type DayUsage, type Usage } from './usage';

/** Store of daily peaks and alert states between runs. */
export interface QuotaStore {
  /** Returns all readable histories, and the projects whose history cannot be read. */
  usage(): Promise<{ readonly usage: Usage; readonly unreadable: readonly string[] }>;
  /** Merges a day into the history of a project and returns the history; writes only if a peak rose. */
  record(project: string, day: DayUsage): Promise<readonly DayUsage[]>;
  /** Returns the alert states of each project. */
  alertStates(): Promise<ReadonlyMap<string, AlertStates>>;
  /** Saves the alert states of some projects; those of the others stay. */
  save(changes: ReadonlyMap<string, AlertStates>): Promise<void>;
}
