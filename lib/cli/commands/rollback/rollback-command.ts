import { type RollBackRequest } from '../../../contract';
import { type OptionSpecs, type OptionValues } from '../../command/command-spec';
import { exitCodes, type ExitCode } from '../../command/exit-codes';
import { printDeployment } from '../../service/print-deployment';
import { isInteractive, isRequestConfirmed, printPreview } from '../../service/print-preview';
import { parseWorkflowName, stageType, versionType } from '../../service/reference-word';
import { idempotencyKeyOf } from '../../service/request-key';
import { withRetryHint } from '../../service/with-retry-hint';
import { withService, type Service } from '../../service/service-connection';
import { idempotencyKeyOption, serviceOptions, workflowArgument } from '../../service/service-options';
import { fetchStageVersions } from '../../service/stage-before';
import { parseWait, waitOptions } from '../../service/wait';
import { defineCommand } from '../../command/command';

const options = {
  to: { type: 'parsed', valueType: stageType, required: true, description: 'stage to roll back' },
  version: {
    type: 'parsed',
    valueType: versionType,
    description: 'version to roll back to',
    defaultText: 'the previous Ready version of the stage',
  },
  ...waitOptions,
  yes: { type: 'flag', short: 'y', description: 'do not ask for confirmation' },
  ...idempotencyKeyOption,
  ...serviceOptions,
} as const satisfies OptionSpecs;

type Options = OptionValues<typeof options>;

/** `pinion rollback`. */
export const rollbackCommand = defineCommand({
  description: 'On a terminal, the command first shows the changes and asks for confirmation.',
  arguments: workflowArgument,
  options,
  exitCodes: {
    failure: 'the deployment was rejected or did not become Ready',
    incomplete: 'not confirmed, or the wait timed out',
  },
  async run({ args, options: given }, io) {
    const { version } = given;
    const request = {
      ...parseWorkflowName(args.workflow, 'rollback'),
      stage: given.to,
      ...(version !== undefined && { version }),
    };
    return withService(given, io, (service) => previewAndRollBack(request, parseWait(given), given, service));
  },
});

async function previewAndRollBack(
  requested: RollBackRequest,
  wait: number | undefined,
  given: Options,
  service: Service,
): Promise<ExitCode> {
  const { environment, io, client, lines } = service;
  const { stage } = requested;
  const workflow = `${requested.project}/${requested.workflow}`;
  const { current, previous, failed } = await fetchStageVersions(requested, service);
  let request = requested;
  if (isInteractive(service)) {
    const version = requested.version ?? (failed === undefined ? previous : undefined);
    if (version === undefined) {
      io.writeError(
        `pinion: ${failed === undefined ? noPreviousVersion(stage) : alreadyRolledBack(workflow, stage, failed, current)}\n`,
      );
      return exitCodes.failure;
    }
    // Request the previewed version, even if another one is deployed meanwhile.
    request = { ...requested, version };
    const artifact = `${workflow}@${version}`;
    const { code } = await printPreview({ artifact, stage }, service);
    if (code !== exitCodes.success) return code;
    const from = current === undefined ? '' : `from ${current} `;
    if (!given.yes && !(await isRequestConfirmed(`Roll back ${from}to ${artifact} in ${stage}?`, service)))
      return exitCodes.incomplete;
  }
  const key = idempotencyKeyOf(given['idempotency-key'], { rollBack: request }, environment);
  const deployment = await withRetryHint(key, io, () => client.request('rollBack', { body: request, key }));
  const { version } = deployment;
  if (current !== undefined && current !== version)
    lines.say(`rolling back ${workflow} from ${current} to ${version} in ${stage}`);
  return printDeployment(deployment, wait, service);
}

const noPreviousVersion = (stage: string): string => `no previous version was Ready in ${stage}; pass --version`;

const alreadyRolledBack = (workflow: string, stage: string, failed: string, current: string | undefined): string =>
  `${workflow}@${failed} did not become Ready in ${stage} and was already rolled back to ${current}; to go back further, pass --version ("pinion history ${workflow} --to ${stage}" lists the versions)`;
