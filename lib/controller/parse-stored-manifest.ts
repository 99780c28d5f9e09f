import { redactProblem, safeParseManifest, withoutMember } from '../api';
import { type LiveObject } from '../client';
import { writtenPart } from './written-part';

/**
 * Parses a resource as stored by the API server.
 *
 * The server drops fields that its CRDs do not define. A field that the controller does not know must come from newer
 * CRDs, which are installed before the newer controller. It is ignored: otherwise its default would stop all workloads at
 * once. Problems omit values that could be secrets, because they are written to a status.
 */
export function parseStoredManifest(live: LiveObject): ReturnType<typeof safeParseManifest> {
  const { problems, ...rest } = parseKnownFields(live);
  return { ...rest, problems: problems.map(redactProblem) };
}

function parseKnownFields(live: LiveObject): ReturnType<typeof safeParseManifest> {
  const written = writtenPart(live);
  const result = safeParseManifest(written);
  const newerFields = result.problems.filter(({ code, path }) => code === 'unknown-field' && path[0] === 'spec');
  if (newerFields.length === 0) return result;
  return safeParseManifest(newerFields.map(({ path }) => path).reduce(withoutMember, written));
}
