import { UsageError } from './arguments';
import { clusterHelp, clusterOptions, withCluster } from './cluster-connection';
import { exitCodes } from './exit-codes';
import { platformFileName } from './input-files';
import { cleanDocuments, pulledText } from './platform-pull';
import { verb } from './verb';
import { writeWhole } from './whole-file';

const help = `pinion platform pull [options]

Writes the Platform of a cluster, the RuntimeProfile that it names and its Projects to ${platformFileName}, by which check,
render and cdk8s synth use the facts of that cluster.

  --file FILE        where to write (default: ${platformFileName}; - for standard output)
${clusterHelp}
  -q, --quiet        no summary
`;

/** `pinion platform pull`: the facts of a cluster as a file. */
export const platform = verb({
  help,
  options: { ...clusterOptions, file: { type: 'string' }, quiet: { type: 'boolean', short: 'q' } },
  words: ['pull'],
  async run({ words, texts, flags }, io) {
    if (words.length !== 1 || words[0] !== 'pull') throw new UsageError('platform knows one word: platform pull');
    const documents = await withCluster(texts, io, async (cluster) =>
      cleanDocuments(
        await cluster.listIfKnown('Platform'),
        await cluster.listIfKnown('RuntimeProfile'),
        await cluster.listIfKnown('Project'),
      ),
    );
    if (documents.length === 0) {
      io.tell('pinion: the cluster has no Platform; apply one first (pinion install --help)\n');
      return exitCodes.problems;
    }
    const text = pulledText(documents);
    const file = texts.file ?? platformFileName;
    if (file === '-') await io.write(text);
    else writeWhole(file, text, io);
    const count = documents.filter(({ kind }) => kind === 'Project').length;
    const projects = `${count} ${count === 1 ? 'project' : 'projects'}`;
    const where = file === '-' ? 'standard output' : file;
    if (!flags.quiet) io.tell(`Platform, RuntimeProfile and ${projects} in ${where}\n`);
    return exitCodes.fine;
  },
});
