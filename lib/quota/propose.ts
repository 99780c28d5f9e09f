import { amountsOf, isQuotaResource, type PlatformManifest } from '../api';
import {
  consumedAs,
  type ProjectRequests,
  type ProposalFacts,
  type ProposalOptions,
  type ProposedValue,
  proposeValue,
} from './propose-value';
import { type Usage } from './usage';

/** Input of a proposal. */
export interface ProposalInput {
  readonly projects: readonly PlatformManifest<'Project'>[];
  readonly platform: PlatformManifest<'Platform'>;
  readonly usage: Usage;
  /** @default - no running objects */
  readonly present?: ReadonlyMap<string, ProjectRequests>;
}

/** Proposed quota of a project. */
export interface Proposal {
  readonly project: string;
  readonly values: readonly ProposedValue[];
}

/**
 * Proposes the quota of every project: the measured peak times the factor, rounded up, for each resource with a history.
 *
 * Outliers do not count for the peak (`outliersOf`). With less than four weeks of history the proposal is at least the
 * Platform's default. No value is below current usage or the maximum size of workloads. A resource without a history, or
 * never used, keeps the Project's value, or gets the Platform's default. Pure: the newest day of a history counts as today.
 */
export function propose(input: ProposalInput, options: ProposalOptions = {}): readonly Proposal[] {
  return input.projects.map((project) => {
    const name = project.metadata.name;
    const facts: ProposalFacts = {
      days: input.usage.get(name) ?? [],
      own: amountsOf(project.spec.quota),
      defaults: amountsOf(input.platform.spec.defaultQuota),
      present: input.present?.get(name) ?? { used: {}, promised: {} },
      options,
    };
    const resources = new Set([
      ...facts.days.flatMap(({ peaks }) => Object.keys(peaks)),
      ...Object.entries(consumedAs).flatMap(([resource, what]) =>
        facts.days.some(({ consumed }) => consumed[what]) ? [resource] : [],
      ),
      ...Object.keys(facts.own),
      ...Object.keys(facts.defaults),
    ]);
    const values = [...resources]
      .filter(isQuotaResource)
      .sort()
      .flatMap((resource) => proposeValue(resource, facts));
    return { project: name, values };
  });
}
