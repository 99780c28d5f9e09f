import { type ProjectContext } from '../expand';
import { type ImpactWait } from './profile-choice';

/** Contexts of a workload before a change, right after it, and later. */
export interface ContextMove {
  readonly before: ProjectContext;
  readonly now: ProjectContext;
  /** @default - it stays */
  readonly later?: {
    readonly context: ProjectContext;
    /** Profile or revision that it moves to. */
    readonly target: string;
    readonly waitsFor: ImpactWait | 'rollout';
    /** After the rollout of the Platform, if that of its Project moves it to `context` afterwards. @default - its Project moves nothing */
    readonly ofPlatform?: ProjectContext;
    /** Time after which it moves without a deployment, such as `14d`. @default - it does not */
    readonly within?: string;
  };
}
