import { redactProblem, safeParseManifest, withoutMember } from '../api';
import { type LiveObject } from '../kube';
import { writtenPart } from './written-part';

/**
 * Examines a document as the API server keeps it.
 *
 * The server drops what its definitions do not know. A field that only we do not know is one of newer definitions, which
 * are installed before the controller that knows them: it is passed over, for its default would stop every workload at once.
 * Problems come without values that could be secrets, because they are written to a status.
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
