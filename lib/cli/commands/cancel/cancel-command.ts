import { exitCodes } from '../../command/exit-codes';
import { deploymentText } from '../../service/deployment-text';
import { parseDeploymentId } from '../../service/reference-word';
import { withService } from '../../service/service-connection';
import { serviceHelp, serviceOptions } from '../../service/service-options';
import { defineCommand } from '../../command/command';

const help = `pinion cancel ID [options]

Cancels a deployment that is waiting for its turn. One that has begun cannot be cancelled: "pinion rollback" deploys
what was there before.

${serviceHelp}
`;

/** `pinion cancel`: cancels a deployment that waits. */
export const cancelCommand = defineCommand({
  help,
  options: serviceOptions,
  async run(given, io) {
    const id = parseDeploymentId(given.positionals, 'cancel');
    return withService(given, io, async ({ client, isJson }) => {
      const deployment = await client.request('cancel', { params: { id } });
      await io.write(isJson ? `${JSON.stringify({ deployment }, null, 2)}\n` : deploymentText(deployment));
      return exitCodes.success;
    });
  },
});
