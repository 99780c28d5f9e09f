import { type DeploymentPreview, type DeployRequest } from '../../../contract';
import { type Arguments, UsageError } from '../../command/arguments';
import { exitCodes, type ExitCode } from '../../command/exit-codes';
import { printDeployment } from '../../service/followed';
import { isInteractive, isRequestConfirmed, printPreview } from '../../service/intention';
import { parseArtifactReference, parseStage } from '../../service/reference-word';
import { idempotencyKeyOf } from '../../service/request-key';
import { withRetryHint } from '../../service/sent';
import { withService, type Service } from '../../service/service-connection';
import { serviceHelp, serviceOptions } from '../../service/service-options';
import { waitHelp, parseWait, waitOptions } from '../../service/wait';
import { defineCommand } from '../../command/command';

const help = `pinion deploy PROJECT/WORKFLOW@VERSION --to STAGE [options]

Deploys what was published, by its name; no file is sent. On a terminal it first shows what changes, which pods are
replaced and what is left of the quota, and asks for confirmation. Elsewhere it does not ask; the service refuses what is
not allowed.

  --to STAGE         stage of the workflow
  --check            only shows what would happen
${waitHelp}
  --yes              does not ask for confirmation
  --break-glass WHY  passes over the publishers of a protected stage in an emergency; the reason is recorded and reported
  --idempotency-key KEY
                     requests with the same key run once
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
  'idempotency-key': { type: 'string' },
} as const;

type Given = Arguments<keyof typeof options>;

/** `pinion deploy`: a published artifact to a stage. */
export const deployCommand = defineCommand({
  help,
  options,
  async run(given, io) {
    const request = requestOf(given);
    const wait = parseWait(given);
    if (given.flags.check && wait !== undefined) throw new UsageError('--check does nothing that could be waited for');
    return withService(given, io, (service) => decide(request, wait, given, service));
  },
});

function requestOf({ positionals, values }: Given): DeployRequest {
  const why = values['break-glass'];
  if (why !== undefined && (why.length < 10 || why.length > 500))
    throw new UsageError('--break-glass takes the reason, in 10 to 500 characters');
  return {
    artifact: parseArtifactReference(positionals, 'deploy'),
    stage: parseStage(values.to, 'deploy'),
    ...(why !== undefined && { breakGlass: why }),
  };
}

async function decide(
  request: DeployRequest,
  wait: number | undefined,
  { flags, values }: Given,
  service: Service,
): Promise<ExitCode> {
  const key = idempotencyKeyOf(values['idempotency-key'], { deploy: request }, service.environment);
  let preview: DeploymentPreview | undefined;
  if (flags.check || isInteractive(service)) {
    const told = await printPreview(request, service);
    preview = told.preview;
    if (flags.check || told.code !== exitCodes.success) return end(told, service);
    if (!flags.yes && !(await isRequestConfirmed(`Deploy ${request.artifact} to ${request.stage}?`, service)))
      return exitCodes.incomplete;
  }
  const deployment = await withRetryHint(key, service.io, () =>
    service.client.request('deploy', { body: request, key }),
  );
  return printDeployment(deployment, wait, service, preview && { preview });
}

async function end(
  { preview, code }: { preview: DeploymentPreview; code: ExitCode },
  { io, isJson }: Service,
): Promise<ExitCode> {
  if (isJson) await io.write(`${JSON.stringify({ preview }, null, 2)}\n`);
  return code;
}
