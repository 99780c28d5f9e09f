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
    return withService(given, io, (service) => decide(request, parseWait(given), given, service));
  },
});

async function decide(
  asked: RollBackRequest,
  wait: number | undefined,
  given: Options,
  service: Service,
): Promise<ExitCode> {
  const { environment, io, client, lines } = service;
  const { stage } = asked;
  const workflow = `${asked.project}/${asked.workflow}`;
  const { current: there, previous: before, failed } = await fetchStageVersions(asked, service);
  let request = asked;
  if (isInteractive(service)) {
    const version = asked.version ?? (failed === undefined ? before : undefined);
    if (version === undefined) {
      io.writeError(
        `pinion: ${failed === undefined ? noPreviousVersion(stage) : alreadyRolledBack(workflow, stage, failed, there)}\n`,
      );
      return exitCodes.failure;
    }
    // What is sent is what was shown, whatever is deployed meanwhile.
    request = { ...asked, version };
    const artifact = `${workflow}@${version}`;
    const { code } = await printPreview({ artifact, stage }, service);
    if (code !== exitCodes.success) return code;
    const from = there === undefined ? '' : `from ${there} `;
    if (!given.yes && !(await isRequestConfirmed(`Roll back ${from}to ${artifact} in ${stage}?`, service)))
      return exitCodes.incomplete;
  }
  const key = idempotencyKeyOf(given['idempotency-key'], { rollBack: request }, environment);
  const deployment = await withRetryHint(key, io, () => client.request('rollBack', { body: request, key }));
  const { version } = deployment;
  if (there !== undefined && there !== version)
    lines.say(`rolling back ${workflow} from ${there} to ${version} in ${stage}`);
  return printDeployment(deployment, wait, service);
}

const noPreviousVersion = (stage: string): string => `no previous version was Ready in ${stage}; pass --version`;

const alreadyRolledBack = (workflow: string, stage: string, failed: string, there: string | undefined): string =>
  `${workflow}@${failed} did not become Ready in ${stage} and was rolled back to ${there} already; to go back further, pass --version ("pinion history ${workflow} --to ${stage}" lists them)`;
