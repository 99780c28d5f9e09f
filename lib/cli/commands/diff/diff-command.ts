import { exitCodes } from '../../command/exit-codes';
import { isUnchanged } from '../../service/check-text';
import { printPreview } from '../../service/intention';
import { parseArtifactReference, parseStage } from '../../service/reference-word';
import { withService } from '../../service/service-connection';
import { serviceHelp, serviceOptions } from '../../service/service-options';
import { defineCommand } from '../../command/command';

const help = `pinion diff PROJECT/WORKFLOW@VERSION --to STAGE [options]

Shows what a deployment would change, and changes nothing: each workload with its fields before and after, whether its
pods are replaced, and what it asks for compared with what is left of the quota. "+" is a field that is added, "-" one that
is removed, "~" one that changes. The exit code is 1 if the deployment would be refused.

  --to STAGE         stage of the workflow
  --exit-code        exit with 1 also if anything would change, as git diff does
${serviceHelp}
`;

/** `pinion diff`: what a deployment would change. */
export const diffCommand = defineCommand({
  help,
  options: { ...serviceOptions, to: { type: 'string' }, 'exit-code': { type: 'boolean' } },
  async run(given, io) {
    const request = {
      artifact: parseArtifactReference(given.positionals, 'diff'),
      stage: parseStage(given.values.to, 'diff'),
    };
    return withService(given, io, async (service) => {
      const { preview, code } = await printPreview(request, service);
      if (service.isJson) await io.write(`${JSON.stringify({ preview }, null, 2)}\n`);
      return given.flags['exit-code'] && !isUnchanged(preview) ? exitCodes.failure : code;
    });
  },
});
