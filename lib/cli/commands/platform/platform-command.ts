import { platformFileName } from '../../../api';
import { UsageError } from '../../command/arguments';
import { clusterHelp, clusterOptions, withCluster } from '../../cluster/cluster-connection';
import { exitCodes } from '../../command/exit-codes';
import { cleanDocuments, pulledText } from '../../cluster/clean-documents';
import { defineCommand } from '../../command/command';
import { writeFileAtomically } from '../../output/whole-file';

const help = `pinion platform pull [options]

Writes the Platform of a cluster, the RuntimeProfile that it names and its Projects to ${platformFileName}, by which check,
render and cdk8s synth use the facts of that cluster.

  --file FILE        where to write (default: ${platformFileName}; - for standard output)
${clusterHelp}
  -q, --quiet        no summary
`;

/** `pinion platform pull`: the facts of a cluster as a file. */
export const platformCommand = defineCommand({
  help,
  options: { ...clusterOptions, file: { type: 'string' }, quiet: { type: 'boolean', short: 'q' } },
  subcommands: ['pull'],
  async run({ positionals, values, flags }, io) {
    if (positionals.length !== 1 || positionals[0] !== 'pull')
      throw new UsageError('platform knows one word: platform pull');
    const documents = await withCluster(values, io, async (cluster) =>
      cleanDocuments(
        await cluster.listIfKnown('Platform'),
        await cluster.listIfKnown('RuntimeProfile'),
        await cluster.listIfKnown('Project'),
      ),
    );
    if (documents.length === 0) {
      io.writeError('pinion: the cluster has no Platform; apply one first (pinion install --help)\n');
      return exitCodes.failure;
    }
    const text = pulledText(documents);
    const file = values.file ?? platformFileName;
    if (file === '-') await io.write(text);
    else writeFileAtomically(file, text, io);
    const count = documents.filter(({ kind }) => kind === 'Project').length;
    const projects = `${count} ${count === 1 ? 'project' : 'projects'}`;
    const where = file === '-' ? 'standard output' : file;
    if (!flags.quiet) io.writeError(`Platform, RuntimeProfile and ${projects} in ${where}\n`);
    return exitCodes.success;
  },
});
