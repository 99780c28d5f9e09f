import { exitCodes } from '../../command/exit-codes';
import { parseArtifactReference, stageType } from '../../service/reference-word';
import { withService } from '../../service/service-connection';
import { artifactArgument, serviceOptions } from '../../service/service-options';
import { defineCommand } from '../../command/command';

/** `pinion approve`. */
export const approveCommand = defineCommand({
  description: 'The approval covers only the current content of the artifact.',
  arguments: artifactArgument,
  options: {
    to: { type: 'parsed', valueType: stageType, required: true, description: 'stage to approve the artifact for' },
    ...serviceOptions,
  },
  async run({ args, options }, io) {
    const body = { artifact: parseArtifactReference(args.artifact, 'approve'), stage: options.to };
    return withService(options, io, async ({ client, isJson }) => {
      const approval = await client.request('approve', { body });
      const { artifact, stage, digest, approvedBy } = approval;
      await io.write(
        isJson
          ? `${JSON.stringify({ approval }, null, 2)}\n`
          : `${artifact} is approved for ${stage} by ${approvedBy.subject}\n${digest}\n`,
      );
      return exitCodes.success;
    });
  },
});
