const shell = /^(?:.*\/)?(?:sh|bash|ash|dash)$/;

/** Returns the index of the script that a command gives to a shell with `-c`; undefined if there is none. */
export function scriptIndex(words: readonly string[]): number | undefined {
  let hasScript = false;
  const start = words.findIndex((word) => shell.test(word));
  if (start < 0) return undefined;
  for (let index = start + 1; index < words.length; index++) {
    const word = words[index] ?? '';
    if (!/^[-+]/.test(word)) return hasScript ? index : undefined;
    if (/^-[A-Za-z]*c/.test(word)) hasScript = true;
    // The name of an option follows, such as pipefail.
    if (/^[-+][A-Za-z]*o$/.test(word)) index++;
  }
  return undefined;
}
