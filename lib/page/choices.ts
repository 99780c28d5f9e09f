import { type Deployment, type DeployRequest, type RollBackRequest, type VersionView } from '../contract';
import { formatMoment } from './moment';
import { type Choice } from './route';

/** One of several that may be chosen. */
export interface SelectOption {
  readonly value: string;
  readonly text: string;
}

/** What may be chosen, given what is chosen already. */
export interface Choices {
  readonly workflows: readonly SelectOption[];
  readonly versions: readonly SelectOption[];
  readonly stages: readonly SelectOption[];
}

const plain = (values: readonly string[]): readonly SelectOption[] =>
  [...new Set(values)].map((value) => ({ value, text: value }));

/** What may be deployed of the published versions of a project, the newest first. */
export function choicesToDeploy(versions: readonly VersionView[], choice: Choice): Choices {
  const ofWorkflow = versions.filter(({ workflow }) => workflow === choice.workflow);
  return {
    workflows: plain(versions.map(({ workflow }) => workflow)),
    versions: ofWorkflow.map(({ version, publishedAt }) => ({
      value: version,
      text: `${version}, published ${formatMoment(publishedAt)}`,
    })),
    stages: plain(ofWorkflow.find(({ version }) => version === choice.version)?.stages ?? []),
  };
}

/** What may be gone back to: versions that were Ready in the stage before the one that is there now, the newest first. */
export function choicesToRollBack(past: readonly Deployment[], choice: Choice): Choices {
  const ofWorkflow = past.filter(({ workflow }) => workflow === choice.workflow);
  const [present, ...before] = ofWorkflow.filter(({ stage }) => stage === choice.stage);
  const older = before.filter(({ version }) => version !== present?.version);
  const seen = new Set<string>();
  return {
    workflows: plain(past.map(({ workflow }) => workflow)),
    stages: plain(ofWorkflow.map(({ stage }) => stage)),
    versions: older
      .filter(({ version }) => !seen.has(version) && seen.add(version))
      .map(({ version, requestedAt }) => ({
        value: version,
        text: `${version}, deployed ${formatMoment(requestedAt)}`,
      })),
  };
}

/** A choice with each part filled in that leaves nothing to choose. */
export function withOnlyOptions(choice: Choice, choicesOf: (choice: Choice) => Choices): Choice {
  const fill = (part: 'workflow' | 'version' | 'stage', name: keyof Choices, from: Choice): Choice => {
    const [only, ...others] = choicesOf(from)[name];
    return from[part] === undefined && only && others.length === 0 ? { ...from, [part]: only.value } : from;
  };
  const first = fill('workflow', 'workflows', choice);
  return fill('version', 'versions', fill('stage', 'stages', fill('version', 'versions', first)));
}

/** The artifact that is chosen, or undefined while something is left to choose. */
export function deployRequest(choice: Choice, breakGlass?: string): DeployRequest | undefined {
  const { project, workflow, version, stage } = choice;
  if (project === undefined || workflow === undefined || version === undefined || stage === undefined) return undefined;
  return { artifact: `${project}/${workflow}@${version}`, stage, ...(breakGlass !== undefined && { breakGlass }) };
}

/** What is asked for to go back to what is chosen, or undefined while something is left to choose. */
export function rollBackOf({ project, workflow, version, stage }: Choice): RollBackRequest | undefined {
  if (project === undefined || workflow === undefined || version === undefined || stage === undefined) return undefined;
  return { project, workflow, version, stage };
}
