import { type Arguments, UsageError } from './arguments';
import { exitCodes, type ExitCode } from './exit-codes';
import { tellDeployment } from './service/followed';
import { isDeployment, isProject, isWorkflow, oneWord, refuseFile } from './service/reference-word';
import { withService } from './service/service-connection';
import { serviceHelp, serviceOptions } from './service/service-options';
import { waitHelp, waitOf, waitOptions } from './service/wait';
import { standingOf, type Whereabouts } from './status/standing';
import { isKnown, standingText } from './status/standing-text';
import { untilReady } from './status/until-ready';
import { verb } from './verb';

const help = `pinion status [PROJECT[/WORKFLOW]] [options]
pinion status ID [options]

Shows how projects and their workloads are doing, why some are not Ready and who can fix it, and which deployments are
under way. Without a name: all projects that you are a member of, and those of their workloads that are not Ready. With
the ID of a deployment: how that one is doing.

${waitHelp.replace('follows it until it is Ready or has stopped', 'waits until everything is Ready, or the deployment has stopped')}
${serviceHelp}
`;

const options = { ...serviceOptions, ...waitOptions } as const;

/** `pinion status`: how projects, workloads and deployments stand. */
export const status = verb({
  help,
  options,
  async run(given, io) {
    const wait = waitOf(given);
    const where = whereaboutsOf(given);
    if (wait !== undefined && where === undefined)
      throw new UsageError('--wait needs something to wait for: PROJECT, PROJECT/WORKFLOW or the ID of a deployment');
    return withService(given, io, async (service): Promise<ExitCode> => {
      if (where?.id !== undefined) {
        const deployment = await service.client.ask('deployment', { params: { id: where.id } });
        return tellDeployment(deployment, wait, service);
      }
      const isWaited = wait === undefined || !where ? undefined : await untilReady(where, wait, service);
      const standing = await standingOf(where, service.client);
      service.lines.end();
      if (where && !isKnown(standing, where)) {
        io.tell(`pinion: there is nothing of ${given.words[0]} that you may see\n`);
        return exitCodes.problems;
      }
      await io.write(service.isJson ? `${JSON.stringify(standing, null, 2)}\n` : standingText(standing, where));
      if (isWaited !== 'late') return exitCodes.fine;
      service.lines.say('the time to wait is over; what is above with a cause is not Ready yet');
      return exitCodes.halted;
    });
  },
});

function whereaboutsOf({
  words,
}: Arguments<keyof typeof options>): (Whereabouts & { readonly id?: string }) | undefined {
  if (words.length === 0) return undefined;
  const word = oneWord(words, 'status', 'a name: PROJECT, PROJECT/WORKFLOW or the ID of a deployment');
  const [project = '', workflow] = word.split('/');
  if (isDeployment(word)) return { project, id: word };
  if (isWorkflow(word) && workflow !== undefined) return { project, workflow };
  if (isProject(word)) return { project };
  refuseFile(word, 'status');
  throw new UsageError(`${JSON.stringify(word)} is none of PROJECT, PROJECT/WORKFLOW and the ID of a deployment`);
}
