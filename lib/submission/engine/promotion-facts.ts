import { type Problem } from '../../api';
import { type ArtifactStage, type SignedArtifact } from '../../artifact';
import { type Clock } from '../../kube';
import { type ConfigMapState } from '../state/config-map-state';
import { type ProjectLedger } from '../state/project-ledger';
import { type Target } from '../targets/target';

/** What a promotion is judged by. */
export interface PromotionSources {
  readonly state: ConfigMapState;
  readonly targets: ReadonlyMap<string, Target>;
  readonly clock: Clock;
}

/** What keeps an artifact from a stage because of the stage before. */
export function promotionProblems(
  _sources: PromotionSources,
  _artifact: SignedArtifact,
  _stage: ArtifactStage,
  _ledger: ProjectLedger,
): readonly Problem[] {
  return [];
}
