import { type Check, type DeployRequest } from '../../contract';
import { exitCodes, type ExitCode } from '../exit-codes';
import { isYes } from '../question';
import { checkText } from './check-text';
import { hasErrors, problemsOf, tellProblems } from './failure';
import { isInCi } from './request-key';
import { type Service } from './service-connection';

/** Asks what a deployment would do, says it, and how the process ends if that is all. */
export async function tellCheck(
  request: DeployRequest,
  service: Service,
): Promise<{ readonly check: Check; readonly code: ExitCode }> {
  const check = await service.client.ask('check', { body: request });
  const problems = problemsOf([...check.problems, ...check.targets.flatMap((target) => target.problems)]);
  if (!service.isJson) await service.io.write(checkText(check));
  else if (isAttended(service)) service.io.tell(checkText(check));
  tellProblems(problems, service.io);
  const isRefused = check.decision === 'refuse' || hasErrors(problems);
  return { check, code: isRefused ? exitCodes.problems : exitCodes.fine };
}

/** Whether a person is there who can be shown something and asked. */
export const isAttended = ({ io, environment }: Service): boolean => io.terminal.err && !isInCi(environment);

/** Asks the person for a last word; says so where that is no. */
export async function isConfirmed(question: string, { io }: Service): Promise<boolean> {
  const yes = await isYes(question, io);
  if (!yes) io.tell('nothing was asked for\n');
  return yes;
}
