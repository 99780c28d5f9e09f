/** Time zone names with irregular capitalization; the others follow the rule. */
const alone = 'CET CST6CDT EET EST EST5EDT GB GMT GMT+0 GMT0 HST MET MST MST7MDT NZ PRC PST8PDT ROC ROK UCT UTC W WET';
const within =
  'ACT BajaNorte BajaSur CHAT ComodRivadavia DeNoronha EasterIsland GMT GMT+0 GMT0 IN LHI NSW SU UCT US UTC 0';

const byLowerCase = (words: string): ReadonlyMap<string, string> =>
  new Map(words.split(' ').map((word) => [word.toLowerCase(), word]));
const firstWords = byLowerCase(`${alone} US`);
const laterWords = byLowerCase(within);

/**
 * Returns whether the API server accepts a time zone for a CronJob: a name of the tz database in its exact case.
 *
 * Based on Intl; names that only Intl accepts (`+01:00`, `utc`, `PST`, `SystemV/…`) are rejected, and so are `Local`
 * and the empty name.
 */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Z][A-Za-z0-9_+-]*(\/[A-Z][A-Za-z0-9_+-]*)*$/.test(name)) return false;
  if (name.startsWith('SystemV/') || name === 'US/Pacific-New') return false;
  const canonical = canonicalName(name);
  if (canonical === undefined || canonical === name) return canonical === name;
  return canonical.toLowerCase() !== name.toLowerCase() && hasCaseOfDatabase(name);
}

function canonicalName(name: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

/**
 * Returns whether a name has the case of the database: Intl ignores case and knows abbreviations, but Go opens a file
 * with exactly that name.
 */
function hasCaseOfDatabase(name: string): boolean {
  return name.split(/[/_-]/).every((word, index) => {
    const special = (index === 0 ? firstWords : laterWords).get(word.toLowerCase());
    return special === undefined ? /^[A-Z][a-z]+$/.test(word) : word === special;
  });
}
