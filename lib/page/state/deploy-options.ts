import { type Deployment, type DeployRequest, type RollBackRequest, type VersionView } from '../../contract';
import { formatDateTime } from '../format/time';
import { type DeploySelection } from './route';
import { type DeployDraft } from './state';

/** Option of a select element. */
export interface SelectOption {
  readonly value: string;
  readonly text: string;
}

/** Options of the deploy form for the current selection. */
export interface DeployOptions {
  readonly workflows: readonly SelectOption[];
  readonly versions: readonly SelectOption[];
  readonly stages: readonly SelectOption[];
}

const toOptions = (values: readonly string[]): readonly SelectOption[] =>
  [...new Set(values)].map((value) => ({ value, text: value }));

/** Returns the options to deploy from the published versions of a project, newest first. */
export function deployOptions(versions: readonly VersionView[], selection: DeploySelection): DeployOptions {
  const ofWorkflow = versions.filter(({ workflow }) => workflow === selection.workflow);
  return {
    workflows: toOptions(versions.map(({ workflow }) => workflow)),
    versions: ofWorkflow.map(({ version, publishedAt }) => ({
      value: version,
      text: `${version}, published ${formatDateTime(publishedAt)}`,
    })),
    stages: toOptions(ofWorkflow.find(({ version }) => version === selection.version)?.stages ?? []),
  };
}

/** Returns the options to roll back: versions that were Ready in the stage before the current one, newest first. */
export function rollBackOptions(past: readonly Deployment[], selection: DeploySelection): DeployOptions {
  const ofWorkflow = past.filter(({ workflow }) => workflow === selection.workflow);
  const [current, ...before] = ofWorkflow.filter(({ stage }) => stage === selection.stage);
  const older = before.filter(({ version }) => version !== current?.version);
  const seen = new Set<string>();
  return {
    workflows: toOptions(past.map(({ workflow }) => workflow)),
    stages: toOptions(ofWorkflow.map(({ stage }) => stage)),
    versions: older
      .filter(({ version }) => !seen.has(version) && seen.add(version))
      .map(({ version, requestedAt }) => ({
        value: version,
        text: `${version}, deployed ${formatDateTime(requestedAt)}`,
      })),
  };
}

const noOptions: DeployOptions = { workflows: [], versions: [], stages: [] };

/** Returns the options of a draft; none until they are loaded. */
export function draftOptions(
  page: 'deploy' | 'rollback',
  { versions, past }: DeployDraft,
  selection: DeploySelection,
): DeployOptions {
  if (page === 'deploy') return versions?.status === 'loaded' ? deployOptions(versions.value, selection) : noOptions;
  return past?.status === 'loaded' ? rollBackOptions(past.value, selection) : noOptions;
}

/** Fills in each part of a selection that has a single option. */
export function selectOnlyOptions(
  selection: DeploySelection,
  optionsFor: (selection: DeploySelection) => DeployOptions,
): DeploySelection {
  const fill = (
    part: 'workflow' | 'version' | 'stage',
    name: keyof DeployOptions,
    from: DeploySelection,
  ): DeploySelection => {
    const [only, ...others] = optionsFor(from)[name];
    return from[part] === undefined && only && others.length === 0 ? { ...from, [part]: only.value } : from;
  };
  const first = fill('workflow', 'workflows', selection);
  return fill('version', 'versions', fill('stage', 'stages', fill('version', 'versions', first)));
}

/** Returns the request to deploy a selection, or undefined while it is incomplete. */
export function deployRequest(selection: DeploySelection, breakGlass?: string): DeployRequest | undefined {
  const { project, workflow, version, stage } = selection;
  if (project === undefined || workflow === undefined || version === undefined || stage === undefined) return undefined;
  return { artifact: `${project}/${workflow}@${version}`, stage, ...(breakGlass !== undefined && { breakGlass }) };
}

/** Returns the request to roll back to a selection, or undefined while it is incomplete. */
export function rollBackRequest({ project, workflow, version, stage }: DeploySelection): RollBackRequest | undefined {
  if (project === undefined || workflow === undefined || version === undefined || stage === undefined) return undefined;
  return { project, workflow, version, stage };
}
