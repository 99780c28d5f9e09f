import { redactProblem, safeParseManifest, withoutMember } from '../api';
import { type LiveObject } from '../kube';
import { writtenPart } from './written-part';

/**
 * Parses a resource as stored by the API server.
 *
 * The server drops fields that its CRDs do not define. A field that only the controller does not know is from newer
 * CRDs, which are installed before the newer controller. It is ignored, because its default would stop all workloads at
 * once. Problems omit values that could be secrets, because they are written to a status.
 */
export function parseStoredManifest(live: LiveObject): ReturnType<typeof safeParseManifest> {
  const { problems, ...rest } = parseKnownFields(live);
  return { ...rest, problems: problems.map(redactProblem) };
}

function parseKnownFields(live: LiveObject): ReturnType<typeof safeParseManifest> {
  const written = writtenPart(live);
  const found = safeParseManifest(written);
  const newer = found.problems.filter(({ code, path }) => code === 'unknown-field' && path[0] === 'spec');
  if (newer.length === 0) return found;
  return safeParseManifest(newer.map(({ path }) => path).reduce(withoutMember, written));
}
