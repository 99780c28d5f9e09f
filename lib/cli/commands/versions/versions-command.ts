import { operations, type VersionView } from '../../../contract';
import { UsageError } from '../../command/arguments';
import { exitCodes } from '../../command/exit-codes';
import { printable } from '../../service/printable';
import { onlyPositional } from '../../service/reference-word';
import { withService } from '../../service/service-connection';
import { serviceHelp, serviceOptions } from '../../service/service-options';
import { textTable } from '../../output/text-table';
import { defineCommand } from '../../command/command';

const help = `pinion versions PROJECT[/WORKFLOW] [options]

What was published and can be deployed, the newest first.

  --limit COUNT      how many, up to 10000 (default: 20)
${serviceHelp}
`;

const names = operations.rollBack.body.shape;

/** `pinion versions`: what can be deployed. */
export const versionsCommand = defineCommand({
  help,
  options: { ...serviceOptions, limit: { type: 'string' } },
  async run(given, io) {
    const { limit = '20' } = given.values;
    const most = Number(limit);
    if (!/^\d+$/.test(limit) || most < 1 || most > 10_000)
      throw new UsageError(`--limit takes a whole number from 1 to 10000, not ${JSON.stringify(limit)}`);
    const { project, workflow } = placeOf(given.positionals);
    const asked = {
      params: { project },
      query: { limit: Math.min(most, 1000), ...(workflow !== undefined && { workflow }) },
    };
    return withService(given, io, async ({ client, isJson }) => {
      const found: VersionView[] = [];
      for await (const version of client.list('versions', asked)) {
        found.push(version);
        if (found.length === most) break;
      }
      await io.write(isJson ? `${JSON.stringify({ versions: found }, null, 2)}\n` : versionsText(found));
      return exitCodes.success;
    });
  },
});

function placeOf(words: readonly string[]): { readonly project: string; readonly workflow?: string } {
  const word = onlyPositional(words, 'versions', 'a project or workflow: PROJECT[/WORKFLOW]');
  const [project = '', workflow, ...more] = word.split('/');
  const isNamed =
    names.project.safeParse(project).success && (workflow === undefined || names.workflow.safeParse(workflow).success);
  if (isNamed && more.length === 0) return { project, ...(workflow !== undefined && { workflow }) };
  throw new UsageError(
    `${JSON.stringify(word)} is no project or workflow; write PROJECT or PROJECT/WORKFLOW, such as shop/cart`,
  );
}

const versionsText = (found: readonly VersionView[]): string =>
  found.length === 0
    ? 'nothing was published\n'
    : printable(textTable(['PUBLISHED', 'ARTIFACT', 'STAGES', 'CONTENT'], found.map(row)));

const row = ({ publishedAt, artifact, stages, digest }: VersionView): string[] => [
  publishedAt.replace(/\.\d+Z$/, 'Z'),
  artifact,
  stages.join(', '),
  digest.slice(0, 19),
];
