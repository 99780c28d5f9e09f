/** The cache may no longer follow the server: it must be filled again. */
export class FillNeeded extends Error {}

/** The server said nothing, as it does about a resource that does not change. */
export class Silence extends FillNeeded {}

/** The server does not serve the resource. */
export class ResourceGone extends Error {}

/** The server does not begin watches with all objects. */
export class NoInitialEvents extends Error {}

/** Statuses of servers that do not begin watches with all objects. */
export const unsupportedStatuses: readonly number[] = [400, 405, 422];

/** Throws the failure that the status of a response is; `unsupported` are those of a server without initial events. */
export function checkWatchStatus(status: number, unsupported: readonly number[]): void {
  if (status === 200) return;
  if (status === 410) throw new FillNeeded('the version is too old');
  if (status === 404) throw new ResourceGone('the API server does not serve the resource');
  if (unsupported.includes(status))
    throw new NoInitialEvents(`status ${status}: watches do not begin with all objects; they are listed instead`);
  throw new Error(`status ${status}`);
}
