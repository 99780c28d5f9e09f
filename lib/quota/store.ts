import { type Episodes } from './evaluate-project';
import { type DayUsage, type Usage } from './usage';

/** Where daily peaks and what owners were told are kept between two runs. */
export interface QuotaStore {
  /** All histories that can be read, and the names of projects whose history cannot. */
  usage(): Promise<{ readonly usage: Usage; readonly unreadable: readonly string[] }>;
  /** Joins a day into the history of a project, and gives that history; writes only where a peak rose. */
  record(project: string, day: DayUsage): Promise<readonly DayUsage[]>;
  /** What is remembered of each project. */
  episodes(): Promise<ReadonlyMap<string, Episodes>>;
  /** Remembers of some projects what is given, and keeps the others. */
  remember(changes: ReadonlyMap<string, Episodes>): Promise<void>;
}
