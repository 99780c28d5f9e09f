import { exitCodes, type ExitCode } from '../../command/exit-codes';
import { UsageError } from '../../command/usage-error';
import { type Io } from '../../io/io';
import { isUnchanged } from '../../service/preview-text';
import { printPreview } from '../../service/print-preview';
import { parseArtifactReference, stageType } from '../../service/reference-word';
import { withService } from '../../service/service-connection';
import { diffMarkdown } from './diff-markdown';
import { type DiffOptions } from './diff-options';
import { previewViews } from './diff-view';

/** Prints what the deployment of an artifact to the stage `--to` would change. */
export function previewDeployment(words: readonly string[], options: DiffOptions, io: Io): Promise<ExitCode> {
  const [word = '', other] = words;
  if (other !== undefined) throw new UsageError('diff takes one PROJECT/WORKFLOW@VERSION');
  const artifact = parseArtifactReference(word, 'diff');
  const { server, output } = options;
  const stage = options.to === undefined ? undefined : stageType.parse(options.to);
  if (stage === undefined) throw new UsageError('diff of an artifact requires --to STAGE: stage of the workflow');
  if (server === undefined)
    throw new UsageError('diff of an artifact requires --server URL (or PINION_SERVER): URL of the submission service');
  const isMarkdown = output === 'markdown';
  return withService({ ...options, server, output: isMarkdown ? 'text' : output }, io, async (service) => {
    // Only JSON and Markdown are one document on standard output.
    const printed = isMarkdown ? { ...service, isJson: true } : service;
    const { preview, code } = await printPreview({ artifact, stage }, printed);
    if (service.isJson) await io.write(`${JSON.stringify({ preview }, null, 2)}\n`);
    if (isMarkdown) await io.write(previewViews(preview).map(diffMarkdown).join('\n'));
    return options['exit-code'] && !isUnchanged(preview) ? exitCodes.failure : code;
  });
}
