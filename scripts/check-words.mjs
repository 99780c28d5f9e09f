// Rejects words that the glossary replaces: node scripts/check-words.mjs [PATH…]. Prints file:line, the word and the
// line of each, and exits with 1 if there is one.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const defaultPaths = ['lib', 'stacks', 'docs', 'examples', 'README.md', 'CONTRIBUTING.md', 'SECURITY.md'];

/** Words with no place in text or identifiers, matched in any case. */
const words = [
  /\b(anew|mend(s|ed)?|tells?|telling|told|hands?|surroundings?|worlds?|rights|holes?)\b/gi,
  /\b(door|room|wall|house|entrance|playground|stranger|neighbourhood|person|master)s?\b|\bpeople\b/gi,
  /\bconducts?\b|\bbreathe\b|\bsee(s|ing)? off\b|\bmade (from|of)\b|(?<!there )\bis (no (?!longer)|none of)/gi,
  /\b(nobody|somebody|whoever|everybody)\b|\blooks? first\b|\bleft out\b|\bin the way\b|\bleans? on\b/gi,
  /\bput right\b|\bin vain\b|\bgo(es)? on\b|\btakes? back\b|\bso (much|many) of\b|\bpass(es)? over\b|\breckon\w*|\bof ours\b/gi,
  /\b(most|least|usual|examine|tell)[A-Z]\w*|\b\w*(Hands|Surroundings|World|Door|Entrance|Told|Standing|Stood)\b/g,
];

/** Allowed uses: names of other software, license texts, idioms. */
const allowed = [
  /leader_election_master_status/g,
  /\b(refs\/heads\/|origin\/|blob\/|tree\/)?master\b(?=[/'"`]|\s+(branch|replica|role))/gi,
  /\bmaster: \{/g,
  /replicaType: master|chief\|master|MASTER_(ADDR|PORT)|\bMaster\b|rdzv.*master/g,
  /node-role\.kubernetes\.io\/master|system:masters/g,
  // A flag of the controller manager and the scheduler.
  /logging-format master (?=max-|min-|permit)/g,
  // ZooKeeper's ACL scheme.
  /\.text\('world'\)/g,
  /world-readable/g,
  /wall[- ]clock/gi,
  // In a script of the default profile: another text would roll out every pod.
  /"watch" goes on/g,
  /(all|civil|digital|human|property|moral|statutory) rights|rights (reserved|and limitations|granted|under)/gi,
  /uid:? (\(?nobody\)?)|['"`]nobody['"`]|left out\.x/gi,
];

function filesBelow(path) {
  const full = join(root, path);
  const stat = statSync(full, { throwIfNoEntry: false });
  if (!stat) return [];
  if (stat.isFile()) return [path];
  return readdirSync(full, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

const isChecked = (file) =>
  /\.(ts|tsx|mjs|cjs|md|ya?ml|css|html|json)$/.test(file) &&
  !/\.generated\.|openapi\.json$|(^|\/)(THIRD_PARTY|LICENSE)/.test(file);

const violations = [];
const given = process.argv.slice(2);
const files = (given.length > 0 ? given : defaultPaths).flatMap(filesBelow);
for (const file of files.filter(isChecked)) {
  readFileSync(join(root, file), 'utf8')
    .split('\n')
    .forEach((line, index) => {
      const rest = allowed.reduce((text, pattern) => text.replace(pattern, ''), line);
      const found = words.flatMap((pattern) => rest.match(pattern) ?? []);
      if (found.length > 0) violations.push(`${file}:${index + 1}: ${[...new Set(found)].join(', ')}: ${line.trim()}`);
    });
}
for (const violation of violations) console.log(violation);
if (violations.length > 0) {
  console.log(`${violations.length} lines use words that the glossary replaces`);
  process.exit(1);
}
