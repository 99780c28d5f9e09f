import { type Check, type DeployRequest } from '../contract';
import { type Arguments, UsageError } from './arguments';
import { exitCodes, type ExitCode } from './exit-codes';
import { tellDeployment } from './service/followed';
import { isAttended, isConfirmed, tellCheck } from './service/intention';
import { artifactWord, stageOf } from './service/reference-word';
import { requestKey } from './service/request-key';
import { sent } from './service/sent';
import { withService, type Service } from './service/service-connection';
import { serviceHelp, serviceOptions } from './service/service-options';
import { waitHelp, waitOf, waitOptions } from './service/wait';
import { verb } from './verb';

const help = `pinion deploy PROJECT/WORKFLOW@VERSION --to STAGE [options]

Deploys what was published, by its name; no file is sent. On a terminal it first shows what changes, which pods are
replaced and what is left of the quota, and asks for confirmation. Elsewhere it does not ask; the service refuses what is
not allowed.

  --to STAGE         stage of the workflow
  --check            only shows what would happen
${waitHelp}
  --yes              does not ask for confirmation
  --break-glass WHY  passes over the publishers of a protected stage in an emergency; the reason is recorded and reported
  --key KEY          a request that is sent twice under the same key is carried out once
                     (default: in GitHub Actions, GitLab and Jenkins this attempt at the job; else a new one)
${serviceHelp}
`;

const options = {
  ...serviceOptions,
  ...waitOptions,
  to: { type: 'string' },
  check: { type: 'boolean' },
  yes: { type: 'boolean', short: 'y' },
  'break-glass': { type: 'string' },
  key: { type: 'string' },
} as const;

type Given = Arguments<keyof typeof options>;

/** `pinion deploy`: a published artifact to a stage. */
export const deploy = verb({
  help,
  options,
  async run(given, io) {
    const request = requestOf(given);
    const wait = waitOf(given);
    if (given.flags.check && wait !== undefined) throw new UsageError('--check does nothing that could be waited for');
    return withService(given, io, (service) => decide(request, wait, given, service));
  },
});

function requestOf({ words, texts }: Given): DeployRequest {
  const why = texts['break-glass'];
  if (why !== undefined && (why.length < 10 || why.length > 500))
    throw new UsageError('--break-glass takes the reason, in 10 to 500 characters');
  return {
    artifact: artifactWord(words, 'deploy'),
    stage: stageOf(texts.to, 'deploy'),
    ...(why !== undefined && { breakGlass: why }),
  };
}

async function decide(
  request: DeployRequest,
  wait: number | undefined,
  { flags, texts }: Given,
  service: Service,
): Promise<ExitCode> {
  const key = requestKey(texts.key, { deploy: request }, service.environment);
  let check: Check | undefined;
  if (flags.check || isAttended(service)) {
    const told = await tellCheck(request, service);
    check = told.check;
    if (flags.check || told.code !== exitCodes.fine) return end(told, service);
    if (!flags.yes && !(await isConfirmed(`Deploy ${request.artifact} to ${request.stage}?`, service)))
      return exitCodes.halted;
  }
  const deployment = await sent(key, service.io, () => service.client.ask('deploy', { body: request, key }));
  return tellDeployment(deployment, wait, service, check && { check });
}

async function end({ check, code }: { check: Check; code: ExitCode }, { io, isJson }: Service): Promise<ExitCode> {
  if (isJson) await io.write(`${JSON.stringify({ check }, null, 2)}\n`);
  return code;
}
