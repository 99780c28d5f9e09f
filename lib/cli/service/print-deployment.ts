import { finalPhases, ServiceUnreachable, type Deployment, type DeploymentEvent } from '../../contract';
import { exitCodes, type ExitCode } from '../command/exit-codes';
import { deploymentText, exitCodeOf, CausePrinter } from './deployment-text';
import { onOneLine } from './printable';
import { type Service } from './service-connection';
import { runWithTimeout } from './wait';

/** Returns the hint how to follow a deployment again. */
const followHint = (id: string): string => `"pinion status ${id} --wait" follows it`;

/** Prints the status of a deployment; with `wait`, first follows it for at most that many milliseconds. */
export async function printDeployment(
  deployment: Deployment,
  wait: number | undefined,
  service: Service,
  more: object = {},
): Promise<ExitCode> {
  const isOver = finalPhases.includes(deployment.phase);
  if (wait === undefined || isOver) {
    await print(deployment, service, more);
    if (!isOver && !service.isJson) service.lines.say(followHint(deployment.id));
    return exitCodeOf(deployment);
  }
  const { id } = deployment;
  const stopped = `the deployment continues; ${followHint(id)}`;
  const isFollowed = await runWithTimeout(service, wait, stopped, service.io, (signal) => follow(id, signal, service));
  const last = await stateOf(id, isFollowed === true, service);
  service.lines.end();
  if (!last) {
    service.lines.say(`timed out, and the service does not respond; ${stopped}`);
    return exitCodes.incomplete;
  }
  await print(last, service, more);
  if (isFollowed || finalPhases.includes(last.phase)) return exitCodeOf(last);
  service.lines.say(`timed out; ${stopped}`);
  return exitCodes.incomplete;
}

/** Returns the status of a deployment; undefined if the service does not respond, unless `isOver`, which throws. */
async function stateOf(id: string, isOver: boolean, { client }: Service): Promise<Deployment | undefined> {
  try {
    return await client.request('deployment', { params: { id } });
  } catch (error) {
    if (isOver || !(error instanceof ServiceUnreachable)) throw error;
    return undefined;
  }
}

async function follow(id: string, signal: AbortSignal, { client, lines }: Service): Promise<true> {
  const causes = new CausePrinter();
  for await (const event of client.follow(id, { signal })) {
    const text = eventText(event, causes);
    // Lines about blocking issues stay; progress lines are replaced by the next line.
    if (event.cause) lines.say(text);
    else lines.update(subjectOf(event), text);
  }
  return true;
}

const subjectOf = ({ phase, target, workload }: DeploymentEvent): string =>
  JSON.stringify([phase, target, workload?.kind, workload?.name]);

function eventText({ at, phase, target, workload, message, cause }: DeploymentEvent, causes: CausePrinter): string {
  const subject = [target, workload && `${workload.kind}/${workload.name}`].filter(Boolean).join(' ');
  const text = `${subject}${subject && ': '}${onOneLine(cause ? causes.textWith(message, cause) : message)}`;
  return `${at.slice(11, 19)} ${phase.padEnd(11)} ${text}`;
}

async function print(deployment: Deployment, { io, isJson }: Service, more: object): Promise<void> {
  await io.write(isJson ? `${JSON.stringify({ ...more, deployment }, null, 2)}\n` : deploymentText(deployment));
}
