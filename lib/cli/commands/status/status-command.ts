import { type Arguments, UsageError } from '../../command/arguments';
import { exitCodes, type ExitCode } from '../../command/exit-codes';
import { printDeployment } from '../../service/followed';
import {
  isDeploymentId,
  isProjectName,
  isWorkflowReference,
  onlyPositional,
  rejectFile,
} from '../../service/reference-word';
import { withService } from '../../service/service-connection';
import { serviceHelp, serviceOptions } from '../../service/service-options';
import { waitHelp, parseWait, waitOptions } from '../../service/wait';
import { fetchStatus, type StatusScope } from './status-view';
import { isKnown, statusViewText } from './status-text';
import { waitUntilReady } from './until-ready';
import { defineCommand } from '../../command/command';

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
export const statusCommand = defineCommand({
  help,
  options,
  async run(given, io) {
    const wait = parseWait(given);
    const where = whereaboutsOf(given);
    if (wait !== undefined && where === undefined)
      throw new UsageError('--wait needs something to wait for: PROJECT, PROJECT/WORKFLOW or the ID of a deployment');
    return withService(given, io, async (service): Promise<ExitCode> => {
      if (where?.id !== undefined) {
        const deployment = await service.client.request('deployment', { params: { id: where.id } });
        return printDeployment(deployment, wait, service);
      }
      const isWaited = wait === undefined || !where ? undefined : await waitUntilReady(where, wait, service);
      const standing = await fetchStatus(where, service.client);
      service.lines.end();
      if (where && !isKnown(standing, where)) {
        io.writeError(`pinion: there is nothing of ${given.positionals[0]} that you may see\n`);
        return exitCodes.failure;
      }
      await io.write(service.isJson ? `${JSON.stringify(standing, null, 2)}\n` : statusViewText(standing, where));
      if (isWaited !== 'late') return exitCodes.success;
      service.lines.say('the time to wait is over; what is above with a cause is not Ready yet');
      return exitCodes.incomplete;
    });
  },
});

function whereaboutsOf({
  positionals,
}: Arguments<keyof typeof options>): (StatusScope & { readonly id?: string }) | undefined {
  if (positionals.length === 0) return undefined;
  const word = onlyPositional(positionals, 'status', 'a name: PROJECT, PROJECT/WORKFLOW or the ID of a deployment');
  const [project = '', workflow] = word.split('/');
  if (isDeploymentId(word)) return { project, id: word };
  if (isWorkflowReference(word) && workflow !== undefined) return { project, workflow };
  if (isProjectName(word)) return { project };
  rejectFile(word, 'status');
  throw new UsageError(`${JSON.stringify(word)} is none of PROJECT, PROJECT/WORKFLOW and the ID of a deployment`);
}
