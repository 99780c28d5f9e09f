import { type DeploymentPreview, type DeployRequest } from '../../contract';
import { exitCodes, type ExitCode } from '../command/exit-codes';
import { confirm } from '../io/confirm';
import { previewText } from './preview-text';
import { hasErrors, serviceProblems, printProblems } from './print-failure';
import { isInCi } from './request-key';
import { type Service } from './service-connection';

/** Requests and prints the preview of a deployment; returns it with the exit code for a dry run. */
export async function printPreview(
  request: DeployRequest,
  service: Service,
): Promise<{ readonly preview: DeploymentPreview; readonly code: ExitCode }> {
  const preview = await service.client.request('preview', { body: request });
  const problems = serviceProblems([...preview.problems, ...preview.targets.flatMap((target) => target.problems)]);
  if (!service.isJson) await service.io.write(previewText(preview));
  else if (isInteractive(service)) service.io.writeError(previewText(preview));
  printProblems(problems, service.io);
  const isRejected = preview.decision === 'refuse' || hasErrors(problems);
  return { preview, code: isRejected ? exitCodes.failure : exitCodes.success };
}

/** Returns whether the command can ask for confirmation. */
export const isInteractive = ({ io, environment }: Service): boolean => io.terminal.err && !isInCi(environment);

/** Asks for confirmation; prints a line if the user declines. */
export async function isRequestConfirmed(question: string, { io }: Service): Promise<boolean> {
  const isConfirmed = await confirm(question, io);
  if (!isConfirmed) io.writeError('canceled\n');
  return isConfirmed;
}
