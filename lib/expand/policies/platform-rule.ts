import { type ProblemCode, type Workload } from '../../api';
import { type ProjectContext } from '../project-context';
import { type RulePath } from './rule-paths';

/**
 * Rule that depends on the Platform, its runtime profile or the project: one CEL expression, evaluated by an admission
 * policy of the API server and by `checkPlatformRules`.
 *
 * `object` is the workload, `params` the Platform, `namespaceObject` the Namespace of the project, and `variables` is
 * what `ruleVariables` and `listVariables` return.
 */
export interface PlatformRule<S = Workload['spec']> {
  readonly name: string;
  /** Field under spec that the rule applies to; without it, the rule is satisfied. Also the field of its problems. */
  readonly field: readonly string[];
  readonly cel: string;
  readonly code: ProblemCode;
  readonly reason: string;
  readonly remedy: string;
  /** Other fields of spec that the CEL expression reads. */
  readonly otherFields?: readonly string[];
  /** Whether it applies only if the Project is known; a workload can be checked without its Project. @default false */
  readonly needsProject?: boolean;
  /** Whether it reads pod templates, and applies only to tiers that require requests. @default false */
  readonly readsTemplates?: boolean;
  /**
   * Lists the fields that violate the rule; called only if the CEL expression is false. If the list is empty, `field` is
   * reported.
   */
  paths?(spec: S, context: ProjectContext): readonly RulePath[];
}
