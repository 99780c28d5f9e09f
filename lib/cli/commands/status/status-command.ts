import { UsageError } from '../../command/usage-error';
import { exitCodes, type ExitCode } from '../../command/exit-codes';
import { printDeployment } from '../../service/print-deployment';
import { isDeploymentId, isProjectName, isWorkflowReference, rejectFile } from '../../service/reference-word';
import { withService } from '../../service/service-connection';
import { serviceOptions } from '../../service/service-options';
import { parseWait, waitOptions } from '../../service/wait';
import { fetchStatus, type StatusScope } from './status-view';
import { isKnown, statusViewText } from './status-text';
import { waitUntilReady } from './until-ready';
import { defineCommand } from '../../command/command';

/** `pinion status`. */
export const statusCommand = defineCommand({
  description: `Show the state of projects and their workloads, why some are not Ready and who can fix it, and which deployments are in progress.

Without an argument, show all projects that you are a member of, and those of their workloads that are not Ready. With the ID of a deployment, show its progress.`,
  arguments: {
    scope: { valueName: 'PROJECT[/WORKFLOW]|ID', description: 'project, workflow or ID of a deployment' },
  },
  options: { ...waitOptions, ...serviceOptions },
  exitCodes: { incomplete: 'the wait timed out' },
  async run({ args, options }, io) {
    const wait = parseWait(options);
    const scope = parseScope(args.scope);
    if (wait !== undefined && scope === undefined)
      throw new UsageError('--wait requires PROJECT, PROJECT/WORKFLOW or the ID of a deployment');
    return withService(options, io, async (service): Promise<ExitCode> => {
      if (scope?.id !== undefined) {
        const deployment = await service.client.request('deployment', { params: { id: scope.id } });
        return printDeployment(deployment, wait, service);
      }
      const waitResult = wait === undefined || !scope ? undefined : await waitUntilReady(scope, wait, service);
      const view = await fetchStatus(scope, service.client);
      service.lines.end();
      if (scope && !isKnown(view, scope)) {
        io.writeError(`pinion: no ${args.scope ?? ''}, or no permission to see it\n`);
        return exitCodes.failure;
      }
      await io.write(service.isJson ? `${JSON.stringify(view, null, 2)}\n` : statusViewText(view, scope));
      if (waitResult !== 'timeout') return exitCodes.success;
      service.lines.say('timed out; the workloads that are listed with a cause are not Ready yet');
      return exitCodes.incomplete;
    });
  },
});

function parseScope(arg: string | undefined): (StatusScope & { readonly id?: string }) | undefined {
  if (arg === undefined) return undefined;
  const [project = '', workflow] = arg.split('/');
  if (isDeploymentId(arg)) return { project, id: arg };
  if (isWorkflowReference(arg) && workflow !== undefined) return { project, workflow };
  if (isProjectName(arg)) return { project };
  rejectFile(arg, 'status');
  throw new UsageError(`${JSON.stringify(arg)} is not a project, PROJECT/WORKFLOW or the ID of a deployment`);
}
