import { isBreaking } from '../../../definitions';
import { exitCodes, type ExitCode } from '../../command/exit-codes';
import { type Io } from '../../io/io';
import { type DefinitionCheckOptions } from './check-options';
import { definitionReport, type DefinitionReport } from './definition-report';
import { readDefinitionSides, type DefinitionSides } from './definition-sides';
import { tryOnScratch, type ScratchResult } from './scratch-trial';
import { withConnection } from '../../cluster/cluster-connection';
import { definitionMarkdown, definitionText } from './definition-text';

/** Compares definitions, prints the report, and returns the exit code of its verdict. */
export async function checkDefinitions(
  paths: readonly string[],
  options: DefinitionCheckOptions,
  io: Io,
): Promise<ExitCode> {
  const sides = await readDefinitionSides(paths, options, io);
  const report = definitionReport(sides, options['allow-pruning'] ?? [], await scratchResults(sides, options, io));
  const { output, all } = options;
  if (output === 'json') await io.write(`${JSON.stringify(report, null, 2)}\n`);
  else await io.write(output === 'markdown' ? definitionMarkdown(report, all) : definitionText(report, all));
  return exitCodeOf(report);
}

/** Tries each changed definition, with its objects, on the scratch API server; none without one. */
async function scratchResults(
  { before, after, objects = [] }: DefinitionSides,
  options: DefinitionCheckOptions,
  io: Io,
): Promise<ScratchResult[]> {
  const { 'scratch-context': context, kubeconfig } = options;
  if (context === undefined) return [];
  return withConnection({ context, ...(kubeconfig !== undefined && { kubeconfig }) }, io, async (connection) => {
    const results: ScratchResult[] = [];
    for (const former of before) {
      const next = after.find(({ metadata }) => metadata.name === former.metadata.name);
      if (next) results.push(await tryOnScratch(former, next, objects, connection));
    }
    return results;
  });
}

function exitCodeOf({ verdict }: DefinitionReport): ExitCode {
  if (isBreaking(verdict)) return exitCodes.failure;
  return verdict === 'safe' ? exitCodes.success : exitCodes.warnings;
}
