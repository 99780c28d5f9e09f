import { type RollBackRequest } from '../contract';
import { type Arguments } from './arguments';
import { exitCodes, type ExitCode } from './exit-codes';
import { tellDeployment } from './service/followed';
import { isAttended, isConfirmed, tellCheck } from './service/intention';
import { stageOf, versionOf, workflowWord } from './service/reference-word';
import { requestKey } from './service/request-key';
import { sent } from './service/sent';
import { withService, type Service } from './service/service-connection';
import { serviceHelp, serviceOptions } from './service/service-options';
import { stageBefore } from './service/stage-before';
import { waitHelp, waitOf, waitOptions } from './service/wait';
import { verb } from './verb';

const help = `pinion rollback PROJECT/WORKFLOW --to STAGE [options]

Deploys again what was Ready in a stage before. On a terminal it first shows what changes, and asks for confirmation.

  --to STAGE         stage to roll back
  --version VERSION  version to roll back to (default: the last one that was Ready there before)
${waitHelp}
  --yes              does not ask for confirmation
  --key KEY          a request that is sent twice under the same key is carried out once, as for deploy
${serviceHelp}
`;

const options = {
  ...serviceOptions,
  ...waitOptions,
  to: { type: 'string' },
  version: { type: 'string' },
  yes: { type: 'boolean', short: 'y' },
  key: { type: 'string' },
} as const;

type Given = Arguments<keyof typeof options>;

/** `pinion rollback`: what was Ready before, once more. */
export const rollback = verb({
  help,
  options,
  async run(given, io) {
    const version = versionOf(given.texts.version);
    const request = {
      ...workflowWord(given.words, 'rollback'),
      stage: stageOf(given.texts.to, 'rollback'),
      ...(version !== undefined && { version }),
    };
    const wait = waitOf(given);
    return withService(given, io, (service) => decide(request, wait, given, service));
  },
});

async function decide(
  asked: RollBackRequest,
  wait: number | undefined,
  { flags, texts }: Given,
  service: Service,
): Promise<ExitCode> {
  const { environment, io, client, lines } = service;
  const { stage } = asked;
  const workflow = `${asked.project}/${asked.workflow}`;
  const { there, before, failed } = await stageBefore(asked, service);
  let request = asked;
  if (isAttended(service)) {
    const version = asked.version ?? (failed === undefined ? before : undefined);
    if (version === undefined) {
      io.tell(`pinion: ${failed === undefined ? nothingBefore(stage) : isBack(workflow, stage, failed, there)}\n`);
      return exitCodes.problems;
    }
    // What is sent is what was shown, whatever is deployed meanwhile.
    request = { ...asked, version };
    const artifact = `${workflow}@${version}`;
    const { code } = await tellCheck({ artifact, stage }, service);
    if (code !== exitCodes.fine) return code;
    const from = there === undefined ? '' : `from ${there} `;
    if (!flags.yes && !(await isConfirmed(`Go back ${from}to ${artifact} in ${stage}?`, service)))
      return exitCodes.halted;
  }
  const key = requestKey(texts.key, { rollBack: request }, environment);
  const deployment = await sent(key, io, () => client.ask('rollBack', { body: request, key }));
  const { version } = deployment;
  if (there !== undefined && there !== version) lines.say(`${workflow} goes from ${there} to ${version} in ${stage}`);
  return tellDeployment(deployment, wait, service);
}

const nothingBefore = (stage: string): string => `nothing was Ready in ${stage} before what is there; name a --version`;

const isBack = (workflow: string, stage: string, failed: string, there: string | undefined): string =>
  `${workflow}@${failed} did not become Ready in ${stage} and was rolled back, so that ${there} is there already; to go further back, name a --version ("pinion history ${workflow} --to ${stage}" lists them)`;
