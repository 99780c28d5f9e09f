import { type DeploymentPreview, type DeployRequest } from '../../../contract';
import { type OptionSpecs, type OptionValues } from '../../command/command-spec';
import { exitCodes, type ExitCode } from '../../command/exit-codes';
import { printDeployment } from '../../service/print-deployment';
import { isInteractive, isRequestConfirmed, printPreview } from '../../service/print-preview';
import { parseArtifactReference, stageType } from '../../service/reference-word';
import { idempotencyKeyOf } from '../../service/request-key';
import { withRetryHint } from '../../service/with-retry-hint';
import { withService, type Service } from '../../service/service-connection';
import { artifactArgument, idempotencyKeyOption, serviceOptions } from '../../service/service-options';
import { parseWait, waitOptions } from '../../service/wait';
import { defineCommand } from '../../command/command';
import { textType } from '../../command/option-value-type';

const reasonType = textType(
  'REASON',
  'a reason of 10 to 500 characters',
  ({ length }) => length >= 10 && length <= 500,
);

const options = {
  to: { type: 'parsed', valueType: stageType, required: true, description: 'stage of the workflow' },
  check: { type: 'flag', description: 'show what would happen, and deploy nothing', conflictsWith: ['wait'] },
  ...waitOptions,
  yes: { type: 'flag', short: 'y', description: 'do not ask for confirmation' },
  'break-glass': {
    type: 'parsed',
    valueType: reasonType,
    description: 'bypass trusted publishers in an emergency; the reason is recorded and reported',
  },
  ...idempotencyKeyOption,
  ...serviceOptions,
} as const satisfies OptionSpecs;

type Options = OptionValues<typeof options>;

/** `pinion deploy`. */
export const deployCommand = defineCommand({
  description: `Deploy a published version by name; no files are sent. On a terminal, the command first shows the changes, which pods are replaced and the remaining quota, and asks for confirmation. Without a terminal, it does not ask; the service rejects what is not allowed.`,
  arguments: artifactArgument,
  options,
  examples: [{ command: 'pinion deploy shop/cart@1.4.2 --to production --wait' }],
  exitCodes: {
    failure: 'the deployment was rejected or did not become Ready',
    incomplete: 'not confirmed, or the wait timed out',
  },
  async run({ args, options: given }, io) {
    const request = requestOf(args.artifact, given);
    return withService(given, io, (service) => previewAndDeploy(request, parseWait(given), given, service));
  },
});

function requestOf(artifact: string, { to, 'break-glass': reason }: Options): DeployRequest {
  return {
    artifact: parseArtifactReference(artifact, 'deploy'),
    stage: to,
    ...(reason !== undefined && { breakGlass: reason }),
  };
}

async function previewAndDeploy(
  request: DeployRequest,
  wait: number | undefined,
  given: Options,
  service: Service,
): Promise<ExitCode> {
  const key = idempotencyKeyOf(given['idempotency-key'], { deploy: request }, service.environment);
  let preview: DeploymentPreview | undefined;
  if (given.check || isInteractive(service)) {
    const result = await printPreview(request, service);
    preview = result.preview;
    if (given.check || result.code !== exitCodes.success) return finishPreview(result, service);
    if (!given.yes && !(await isRequestConfirmed(`Deploy ${request.artifact} to ${request.stage}?`, service)))
      return exitCodes.incomplete;
  }
  const deployment = await withRetryHint(key, service.io, () =>
    service.client.request('deploy', { body: request, key }),
  );
  return printDeployment(deployment, wait, service, preview && { preview });
}

async function finishPreview(
  { preview, code }: { preview: DeploymentPreview; code: ExitCode },
  { io, isJson }: Service,
): Promise<ExitCode> {
  if (isJson) await io.write(`${JSON.stringify({ preview }, null, 2)}\n`);
  return code;
}
