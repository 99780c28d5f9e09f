import { formatDuration } from '../../../api';
import { type Deployment, type VersionView } from '../../../contract';
import { UsageError } from '../../command/arguments';
import { exitCodes } from '../../command/exit-codes';
import { printable } from '../../service/printable';
import { parseStage, parseWorkflowName, type WorkflowName } from '../../service/reference-word';
import { withService, type Service } from '../../service/service-connection';
import { serviceHelp, serviceOptions } from '../../service/service-options';
import { textTable } from '../../output/text-table';
import { defineCommand } from '../../command/command';

const help = `pinion history PROJECT/WORKFLOW [options]

What was deployed, when, by whom and how it ended; the newest first.

  --to STAGE         only this stage
  --limit COUNT      how many, up to 10000 (default: 20)
${serviceHelp}
`;

/** `pinion history`: what was deployed. */
export const historyCommand = defineCommand({
  help,
  options: { ...serviceOptions, to: { type: 'string' }, limit: { type: 'string' } },
  async run(given, io) {
    const { to, limit = '20' } = given.values;
    const most = Number(limit);
    if (!/^\d+$/.test(limit) || most < 1 || most > 10_000)
      throw new UsageError(`--limit takes a whole number from 1 to 10000, not ${JSON.stringify(limit)}`);
    const workflow = parseWorkflowName(given.positionals, 'history');
    const query = {
      ...workflow,
      ...(to !== undefined && { stage: parseStage(to, 'history') }),
      limit: Math.min(most, 1000),
    };
    return withService(given, io, async (service) => {
      const { client, isJson } = service;
      const deployments: Deployment[] = [];
      for await (const deployment of client.list('deployments', { query })) {
        deployments.push(deployment);
        if (deployments.length === most) break;
      }
      const newest = deployments.length > 0 ? undefined : await newestVersion(workflow, service);
      if (deployments.length === 0 && !newest) {
        io.writeError(`pinion: there is nothing of ${given.positionals[0]} that you may see\n`);
        return exitCodes.failure;
      }
      const text = newest ? nothingText(newest, workflow, to) : printable(textTable(head, deployments.map(row)));
      await io.write(isJson ? `${JSON.stringify({ deployments }, null, 2)}\n` : text);
      return exitCodes.success;
    });
  },
});

const head = ['WHEN', 'STAGE', 'VERSION', 'CAME TO', 'TOOK', 'BY', 'ID', 'NOTE'];

/** The newest version that was published; undefined where there is none, or the service tells of none. */
async function newestVersion(
  { project, workflow }: WorkflowName,
  { client }: Service,
): Promise<VersionView | undefined> {
  for await (const one of client.list('versions', { params: { project }, query: { workflow, limit: 1 } })) return one;
  return undefined;
}

function nothingText(
  { artifact, stages }: VersionView,
  { project, workflow }: WorkflowName,
  stage: string | undefined,
): string {
  const nothing = `nothing of ${project}/${workflow} was deployed`;
  if (stage === undefined) return `${nothing}\n`;
  const known = stages.includes(stage) ? '' : `; ${artifact} has the stages ${stages.join(', ')}`;
  return printable(`${nothing} to ${stage}${known}\n`);
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
    startedAt !== undefined && endedAt !== undefined ? took(startedAt, endedAt) : '-',
    requestedBy.subject,
    id,
    note.filter(Boolean).join(', '),
  ];
}

const took = (from: string, to: string): string =>
  formatDuration({ millis: Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 1000) * 1000) });
