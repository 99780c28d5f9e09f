import { exitCodes } from '../../command/exit-codes';
import { deploymentText } from '../../service/deployment-text';
import { parseDeploymentId } from '../../service/reference-word';
import { withService } from '../../service/service-connection';
import { serviceOptions } from '../../service/service-options';
import { defineCommand } from '../../command/command';

/** `pinion cancel`. */
export const cancelCommand = defineCommand({
  description:
    'A deployment that has started cannot be canceled; use "pinion rollback" to deploy the previous version.',
  arguments: {
    id: {
      valueName: 'ID',
      required: true,
      description: 'ID of the deployment; "pinion history PROJECT/WORKFLOW" lists them',
    },
  },
  options: serviceOptions,
  async run({ args, options }, io) {
    const id = parseDeploymentId(args.id);
    return withService(options, io, async ({ client, isJson }) => {
      const deployment = await client.request('cancel', { params: { id } });
      await io.write(isJson ? `${JSON.stringify({ deployment }, null, 2)}\n` : deploymentText(deployment));
      return exitCodes.success;
    });
  },
});
