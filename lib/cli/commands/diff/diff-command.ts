import { exitCodes } from '../../command/exit-codes';
import { isUnchanged } from '../../service/preview-text';
import { printPreview } from '../../service/print-preview';
import { parseArtifactReference, stageType } from '../../service/reference-word';
import { withService } from '../../service/service-connection';
import { artifactArgument, serviceOptions } from '../../service/service-options';
import { defineCommand } from '../../command/command';

/** `pinion diff`. */
export const diffCommand = defineCommand({
  description: `Show each workload with its fields before and after, whether its pods are replaced, and how its requests compare with the remaining quota. "+" marks an added field, "-" a removed one, "~" a changed one. Nothing is deployed.`,
  arguments: artifactArgument,
  options: {
    to: { type: 'parsed', valueType: stageType, required: true, description: 'stage of the workflow' },
    'exit-code': { type: 'flag', description: 'also exit with 1 if anything would change, like git diff' },
    ...serviceOptions,
  },
  exitCodes: { failure: 'the deployment would be rejected' },
  async run({ args, options }, io) {
    const request = { artifact: parseArtifactReference(args.artifact, 'diff'), stage: options.to };
    return withService(options, io, async (service) => {
      const { preview, code } = await printPreview(request, service);
      if (service.isJson) await io.write(`${JSON.stringify({ preview }, null, 2)}\n`);
      return options['exit-code'] && !isUnchanged(preview) ? exitCodes.failure : code;
    });
  },
});
