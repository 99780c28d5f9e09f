import { formatDuration } from '../../../api';
import { type Deployment, type VersionView } from '../../../contract';
import { exitCodes } from '../../command/exit-codes';
import { printable } from '../../service/printable';
import { parseWorkflowName, stageType, type WorkflowName } from '../../service/reference-word';
import { withService, type Service } from '../../service/service-connection';
import { serviceOptions, workflowArgument } from '../../service/service-options';
import { textTable } from '../../output/text-table';
import { defineCommand } from '../../command/command';

/** `pinion history`. */
export const historyCommand = defineCommand({
  description: 'Show what was deployed, when, by whom and with which result, newest first.',
  arguments: workflowArgument,
  options: {
    to: { type: 'parsed', valueType: stageType, description: 'stage to show', defaultText: 'all stages' },
    limit: { type: 'integer', min: 1, max: 10_000, default: 20, description: 'number of deployments, up to 10000' },
    ...serviceOptions,
  },
  async run({ args, options }, io) {
    const { to, limit } = options;
    const workflow = parseWorkflowName(args.workflow, 'history');
    const query = {
      ...workflow,
      ...(to !== undefined && { stage: to }),
      limit: Math.min(limit, 1000),
    };
    return withService(options, io, async (service) => {
      const { client, isJson } = service;
      const deployments: Deployment[] = [];
      for await (const deployment of client.list('deployments', { query })) {
        deployments.push(deployment);
        if (deployments.length === limit) break;
      }
      const newest = deployments.length > 0 ? undefined : await newestVersion(workflow, service);
      if (deployments.length === 0 && !newest) {
        io.writeError(`pinion: no workflow ${args.workflow}, or no permission to see it\n`);
        return exitCodes.failure;
      }
      const text = newest ? noDeploymentsText(newest, workflow, to) : printable(textTable(head, deployments.map(row)));
      await io.write(isJson ? `${JSON.stringify({ deployments }, null, 2)}\n` : text);
      return exitCodes.success;
    });
  },
});

const head = ['WHEN', 'STAGE', 'VERSION', 'RESULT', 'DURATION', 'BY', 'ID', 'NOTE'];

/** Returns the newest published version; undefined if there is none or the service shows none. */
async function newestVersion(
  { project, workflow }: WorkflowName,
  { client }: Service,
): Promise<VersionView | undefined> {
  for await (const version of client.list('versions', { params: { project }, query: { workflow, limit: 1 } }))
    return version;
  return undefined;
}

function noDeploymentsText(
  { artifact, stages }: VersionView,
  { project, workflow }: WorkflowName,
  stage: string | undefined,
): string {
  const text = `no deployments of ${project}/${workflow}`;
  if (stage === undefined) return `${text}\n`;
  const known = stages.includes(stage) ? '' : `; ${artifact} has the stages ${stages.join(', ')}`;
  return printable(`${text} to ${stage}${known}\n`);
}

function row(deployment: Deployment): string[] {
  const { id, stage, version, phase, intent, requestedAt, startedAt, endedAt, requestedBy, breakGlass, cause } =
    deployment;
  const note = [intent === 'rollBack' && 'roll back', breakGlass !== undefined && 'break-glass', cause?.reason];
  return [
    requestedAt.replace(/\.\d+Z$/, 'Z'),
    stage,
    version,
    phase,
    startedAt !== undefined && endedAt !== undefined ? durationBetween(startedAt, endedAt) : '-',
    requestedBy.subject,
    id,
    note.filter(Boolean).join(', '),
  ];
}

const durationBetween = (from: string, to: string): string =>
  formatDuration({ millis: Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 1000) * 1000) });
