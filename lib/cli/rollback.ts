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
  const { environment, io, client } = service;
  let request = asked;
  if (isAttended(service)) {
    const version = asked.version ?? (await formerVersion(asked, service));
    if (version === undefined) {
      io.tell(`pinion: nothing was Ready in ${asked.stage} before what is there; name a --version\n`);
      return exitCodes.problems;
    }
    // What is sent is what was shown, whatever is deployed meanwhile.
    request = { ...asked, version };
    const artifact = `${asked.project}/${asked.workflow}@${version}`;
    const { code } = await tellCheck({ artifact, stage: asked.stage }, service);
    if (code !== exitCodes.fine) return code;
    if (!flags.yes && !(await isConfirmed(`Go back to ${artifact} in ${asked.stage}?`, service)))
      return exitCodes.halted;
  }
  const key = requestKey(texts.key, { rollBack: request }, environment);
  return tellDeployment(await sent(key, io, () => client.ask('rollBack', { body: request, key })), wait, service);
}

/** What was Ready in a stage before what is there now. */
async function formerVersion(
  { project, workflow, stage }: RollBackRequest,
  { client }: Service,
): Promise<string | undefined> {
  for await (const deployment of client.each('deployments', { query: { project, workflow, stage, limit: 20 } }))
    if (deployment.startedAt !== undefined) return deployment.former?.version;
  return undefined;
}
