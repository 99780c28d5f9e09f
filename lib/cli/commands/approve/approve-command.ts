import { exitCodes } from '../../command/exit-codes';
import { parseArtifactReference, parseStage } from '../../service/reference-word';
import { withService } from '../../service/service-connection';
import { serviceHelp, serviceOptions } from '../../service/service-options';
import { defineCommand } from '../../command/command';

const help = `pinion approve PROJECT/WORKFLOW@VERSION --to STAGE [options]

Lets an artifact into a stage that asks for approval. The approval holds for its present content only.

  --to STAGE         stage that it may enter
${serviceHelp}
`;

/** `pinion approve`: lets an artifact into a stage. */
export const approveCommand = defineCommand({
  help,
  options: { ...serviceOptions, to: { type: 'string' } },
  async run(given, io) {
    const body = {
      artifact: parseArtifactReference(given.positionals, 'approve'),
      stage: parseStage(given.values.to, 'approve'),
    };
    return withService(given, io, async ({ client, isJson }) => {
      const approval = await client.request('approve', { body });
      const { artifact, stage, digest, approvedBy } = approval;
      await io.write(
        isJson
          ? `${JSON.stringify({ approval }, null, 2)}\n`
          : `${artifact} may enter ${stage}, says ${approvedBy.subject}\n${digest}\n`,
      );
      return exitCodes.success;
    });
  },
});
