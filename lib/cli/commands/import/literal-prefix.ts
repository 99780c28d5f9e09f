/** Characters with a meaning in a regular expression. */
const special = /[()[\]{}*+?|\\^$.]/;

/** Returns the longest prefix of whole path elements that all matches of a pattern have. */
export function literalPrefix(pattern: string): string {
  // A wildcard of a load balancer: a regular expression would rarely repeat a slash.
  const wildcard = /^([^()[\]{}*+?|\\^$]*)\/\*$/.exec(pattern);
  if (wildcard) return wildcard[1] || '/';
  if (alternativesOf(pattern).length > 1) return '/';
  const end = pattern.search(special);
  const isOptional = /^[?*{]/.test(pattern.slice(end));
  const start = pattern.slice(0, isOptional ? end - 1 : end);
  const prefix = !isOptional && endsElement(pattern.slice(end)) ? start : start.slice(0, start.lastIndexOf('/') + 1);
  return prefix.replace(/\/+$/, '') || '/';
}

/** Returns whether a path element must end where the rest of a pattern starts: at a slash or at the end of the path. */
function endsElement(rest: string): boolean {
  if (rest.startsWith('$')) return true;
  const group = groupAt(rest);
  if (group === undefined || /^[?*{]/.test(rest.slice(group.length))) return false;
  const content = group.slice(1, -1).replace(/^\?:/, '');
  return alternativesOf(content).every((alternative) => /^(\/(?![?*{])|\$)/.test(alternative));
}

/** Tokens that matter for the structure of a pattern: escapes and sets count as one. */
const tokens = /\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[()|]/g;

/** Returns the group in parentheses at the start of a text; undefined if there is none. */
function groupAt(text: string): string | undefined {
  if (!text.startsWith('(')) return undefined;
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (token === '(') depth++;
    else if (token === ')' && --depth === 0) return text.slice(0, index + 1);
  }
  return undefined;
}

/** Returns the alternatives of a pattern outside parentheses. */
function alternativesOf(pattern: string): readonly string[] {
  const found: string[] = [];
  let [depth, start] = [0, 0];
  for (const { 0: token, index } of pattern.matchAll(tokens)) {
    if (token === '(') depth++;
    else if (token === ')') depth--;
    else if (token === '|' && depth <= 0) {
      found.push(pattern.slice(start, index));
      start = index + 1;
    }
  }
  return [...found, pattern.slice(start)];
}
