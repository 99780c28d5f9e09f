import { platformFileName } from '../../../api';
import { clusterOptions, withCluster } from '../../cluster/cluster-connection';
import { exitCodes } from '../../command/exit-codes';
import { cleanDocuments, pulledText } from '../../cluster/clean-documents';
import { defineCommand, type CommandGroup } from '../../command/command';
import { writeFileAtomically } from '../../output/whole-file';

/** `pinion platform`. */
export const platformCommand: CommandGroup = {
  subcommands: {
    pull: { summary: `write the Platform and Projects of a cluster to ${platformFileName}`, load: () => pullCommand },
  },
};

const pullCommand = defineCommand({
  description: `Write the Platform, RuntimeProfile and Projects of a cluster to ${platformFileName}, which check, render and cdk8s synth read. Commit the file, and pull again when the platform changes.`,
  options: {
    file: {
      type: 'string',
      valueName: 'FILE',
      default: platformFileName,
      description: 'file to write; - for standard output',
    },
    ...clusterOptions,
    quiet: { type: 'flag', short: 'q', description: 'print no summary' },
  },
  exitCodes: { failure: 'the cluster has no Platform' },
  async run({ options }, io) {
    const documents = await withCluster(options, io, async (cluster) =>
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
    const { file } = options;
    if (file === '-') await io.write(text);
    else writeFileAtomically(file, text, io);
    const count = documents.filter(({ kind }) => kind === 'Project').length;
    const projects = `${count} ${count === 1 ? 'project' : 'projects'}`;
    const destination = file === '-' ? 'standard output' : file;
    if (!options.quiet) io.writeError(`Platform, RuntimeProfile and ${projects} in ${destination}\n`);
    return exitCodes.success;
  },
});
