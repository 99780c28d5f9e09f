import { type RollBackRequest } from '../../../contract';
import { type Arguments } from '../../command/arguments';
import { exitCodes, type ExitCode } from '../../command/exit-codes';
import { printDeployment } from '../../service/followed';
import { isInteractive, isRequestConfirmed, printPreview } from '../../service/intention';
import { parseStage, parseVersionOption, parseWorkflowName } from '../../service/reference-word';
import { idempotencyKeyOf } from '../../service/request-key';
import { withRetryHint } from '../../service/sent';
import { withService, type Service } from '../../service/service-connection';
import { serviceHelp, serviceOptions } from '../../service/service-options';
import { fetchStageVersions } from '../../service/stage-before';
import { waitHelp, parseWait, waitOptions } from '../../service/wait';
import { defineCommand } from '../../command/command';

const help = `pinion rollback PROJECT/WORKFLOW --to STAGE [options]

Deploys again what was Ready in a stage before. On a terminal it first shows what changes, and asks for confirmation.

  --to STAGE         stage to roll back
  --version VERSION  version to roll back to (default: the last one that was Ready there before)
${waitHelp}
  --yes              does not ask for confirmation
  --idempotency-key KEY
                     requests with the same key run once, as for deploy
${serviceHelp}
`;

const options = {
  ...serviceOptions,
  ...waitOptions,
  to: { type: 'string' },
  version: { type: 'string' },
  yes: { type: 'boolean', short: 'y' },
  'idempotency-key': { type: 'string' },
} as const;

type Given = Arguments<keyof typeof options>;

/** `pinion rollback`: what was Ready before, once more. */
export const rollbackCommand = defineCommand({
  help,
  options,
  async run(given, io) {
    const version = parseVersionOption(given.values.version);
    const request = {
      ...parseWorkflowName(given.positionals, 'rollback'),
      stage: parseStage(given.values.to, 'rollback'),
      ...(version !== undefined && { version }),
    };
    const wait = parseWait(given);
    return withService(given, io, (service) => decide(request, wait, given, service));
  },
});

async function decide(
  asked: RollBackRequest,
  wait: number | undefined,
  { flags, values }: Given,
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
        `pinion: ${failed === undefined ? nothingBefore(stage) : isBack(workflow, stage, failed, there)}\n`,
      );
      return exitCodes.failure;
    }
    // What is sent is what was shown, whatever is deployed meanwhile.
    request = { ...asked, version };
    const artifact = `${workflow}@${version}`;
    const { code } = await printPreview({ artifact, stage }, service);
    if (code !== exitCodes.success) return code;
    const from = there === undefined ? '' : `from ${there} `;
    if (!flags.yes && !(await isRequestConfirmed(`Go back ${from}to ${artifact} in ${stage}?`, service)))
      return exitCodes.incomplete;
  }
  const key = idempotencyKeyOf(values['idempotency-key'], { rollBack: request }, environment);
  const deployment = await withRetryHint(key, io, () => client.request('rollBack', { body: request, key }));
  const { version } = deployment;
  if (there !== undefined && there !== version) lines.say(`${workflow} goes from ${there} to ${version} in ${stage}`);
  return printDeployment(deployment, wait, service);
}

const nothingBefore = (stage: string): string => `nothing was Ready in ${stage} before what is there; name a --version`;

const isBack = (workflow: string, stage: string, failed: string, there: string | undefined): string =>
  `${workflow}@${failed} did not become Ready in ${stage} and was rolled back, so that ${there} is there already; to go further back, name a --version ("pinion history ${workflow} --to ${stage}" lists them)`;
