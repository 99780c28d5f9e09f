import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A command of the runbooks, and the names of those that contain it. */
export interface RunbookCommand {
  readonly command: string;
  readonly runbooks: readonly string[];
}

const folder = join(__dirname, '..', '..', '..', 'docs', 'runbooks');
const programs = 'kubectl|pinion|sudo|aws|curl|jq|etcdctl|journalctl|systemctl';
/** A command on a line of its own, or one with arguments within a sentence. */
const patterns = [/^ {7}(\S.*)$/gm, new RegExp(`\`((?:${programs}) [^\`]+)\``, 'g')];

/** Returns every command of the runbooks once. */
export function runbookCommands(): readonly RunbookCommand[] {
  const found = new Map<string, Set<string>>();
  for (const file of readdirSync(folder)) {
    // Expressions of alerts are not commands.
    const [, text = ''] = readFileSync(join(folder, file), 'utf8').split('\n## Impact\n');
    for (const pattern of patterns)
      for (const [, command = ''] of text.matchAll(pattern)) {
        const runbooks = found.get(command) ?? new Set();
        found.set(command, runbooks.add(file.replace('.md', '')));
      }
  }
  return [...found].map(([command, runbooks]) => ({ command, runbooks: [...runbooks] }));
}
