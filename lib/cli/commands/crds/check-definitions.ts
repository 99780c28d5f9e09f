import { isBreaking } from '../../../definitions';
import { exitCodes, type ExitCode } from '../../command/exit-codes';
import { type Io } from '../../io/io';
import { type DefinitionCheckOptions } from './check-options';
import { definitionReport, type DefinitionReport } from './definition-report';
import { readDefinitionSides } from './definition-sides';
import { definitionMarkdown, definitionText } from './definition-text';

/** Compares definitions, prints the report, and returns the exit code of its verdict. */
export async function checkDefinitions(
  paths: readonly string[],
  options: DefinitionCheckOptions,
  io: Io,
): Promise<ExitCode> {
  const report = definitionReport(await readDefinitionSides(paths, options, io), options['allow-pruning'] ?? []);
  const { output, all } = options;
  if (output === 'json') await io.write(`${JSON.stringify(report, null, 2)}\n`);
  else await io.write(output === 'markdown' ? definitionMarkdown(report, all) : definitionText(report, all));
  return exitCodeOf(report);
}

function exitCodeOf({ verdict }: DefinitionReport): ExitCode {
  if (isBreaking(verdict)) return exitCodes.failure;
  return verdict === 'safe' ? exitCodes.success : exitCodes.warnings;
}
