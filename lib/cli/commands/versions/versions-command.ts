import { operations, type VersionView } from '../../../contract';
import { UsageError } from '../../command/usage-error';
import { exitCodes } from '../../command/exit-codes';
import { printable } from '../../service/printable';
import { withService } from '../../service/service-connection';
import { serviceOptions } from '../../service/service-options';
import { textTable } from '../../output/text-table';
import { defineCommand } from '../../command/command';

const names = operations.rollBack.body.shape;

/** `pinion versions`. */
export const versionsCommand = defineCommand({
  description: 'Show the published versions that can be deployed, newest first.',
  arguments: {
    scope: { valueName: 'PROJECT[/WORKFLOW]', required: true, description: 'project, or one of its workflows' },
  },
  options: {
    limit: { type: 'integer', min: 1, max: 10_000, default: 20, description: 'number of versions, up to 10000' },
    ...serviceOptions,
  },
  async run({ args, options }, io) {
    const { limit } = options;
    const { project, workflow } = parseScope(args.scope);
    const request = {
      params: { project },
      query: { limit: Math.min(limit, 1000), ...(workflow !== undefined && { workflow }) },
    };
    return withService(options, io, async ({ client, isJson }) => {
      const versions: VersionView[] = [];
      for await (const version of client.list('versions', request)) {
        versions.push(version);
        if (versions.length === limit) break;
      }
      await io.write(isJson ? `${JSON.stringify({ versions }, null, 2)}\n` : versionsText(versions));
      return exitCodes.success;
    });
  },
});

function parseScope(arg: string): { readonly project: string; readonly workflow?: string } {
  const [project = '', workflow, ...more] = arg.split('/');
  const isNamed =
    names.project.safeParse(project).success && (workflow === undefined || names.workflow.safeParse(workflow).success);
  if (isNamed && more.length === 0) return { project, ...(workflow !== undefined && { workflow }) };
  throw new UsageError(
    `${JSON.stringify(arg)} is not a project or workflow; use PROJECT or PROJECT/WORKFLOW, such as shop/cart`,
  );
}

const versionsText = (versions: readonly VersionView[]): string =>
  versions.length === 0
    ? 'no published versions\n'
    : printable(textTable(['PUBLISHED', 'ARTIFACT', 'STAGES', 'CONTENT'], versions.map(row)));

const row = ({ publishedAt, artifact, stages, digest }: VersionView): string[] => [
  publishedAt.replace(/\.\d+Z$/, 'Z'),
  artifact,
  stages.join(', '),
  digest.slice(0, 19),
];
