import { exitCodes } from './exit-codes';
import { deploymentText } from './service/deployment-text';
import { deploymentWord } from './service/reference-word';
import { withService } from './service/service-connection';
import { serviceHelp, serviceOptions } from './service/service-options';
import { verb } from './verb';

const help = `pinion cancel ID [options]

Cancels a deployment that is waiting for its turn. One that has begun cannot be cancelled: "pinion rollback" deploys
what was there before.

${serviceHelp}
`;

/** `pinion cancel`: cancels a deployment that waits. */
export const cancel = verb({
  help,
  options: serviceOptions,
  async run(given, io) {
    const id = deploymentWord(given.words, 'cancel');
    return withService(given, io, async ({ client, isJson }) => {
      const deployment = await client.ask('cancel', { params: { id } });
      await io.write(isJson ? `${JSON.stringify({ deployment }, null, 2)}\n` : deploymentText(deployment));
      return exitCodes.fine;
    });
  },
});
