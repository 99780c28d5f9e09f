import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rootCommand } from '../../lib/cli/command-table';
import { isCommandGroup, type CommandEntry } from '../../lib/cli/command/command';
import { usageLine } from '../../lib/cli/command/option-text';
import { pinion } from './terminal';

const folder = join(__dirname, 'help');
const docs = readFileSync(join(__dirname, '../../docs/cli.md'), 'utf8');

interface ListedCommand {
  readonly path: readonly string[];
  readonly entry: CommandEntry;
}

/** Returns all commands and groups, starting with the program itself. */
function listCommands(entry: CommandEntry, path: readonly string[] = []): readonly ListedCommand[] {
  const command = entry.load();
  const descendants = Object.entries(command.subcommands ?? {}).flatMap(([name, subcommand]) =>
    listCommands(subcommand, [...path, name]),
  );
  return [{ path, entry }, ...descendants];
}

const all = listCommands(rootCommand);
const titled = all.map((listed) => [['pinion', ...listed.path].join(' '), listed] as const);

describe.each(titled)('%s', (title, { path, entry }) => {
  test('its help matches the reviewed text', async () => {
    const file = join(folder, `${title.replaceAll(' ', '-')}.txt`);
    const { code, out, err } = await pinion([...path, '--help']);
    expect([code, err]).toEqual([0, '']);
    if (process.env['UPDATE_GOLDEN'] !== undefined) writeFileSync(file, out);
    expect(out).toBe(readFileSync(file, 'utf8'));
    expect((await pinion(['help', ...path])).out).toBe(out);
  });

  test('its summary and option descriptions are imperative, lower case, without a final period', () => {
    const command = entry.load();
    const texts = [
      ...(path.length === 0 ? [] : [entry.summary]),
      ...(isCommandGroup(command) ? [] : Object.values(command.options ?? {}).map(({ description }) => description)),
    ];
    for (const text of texts) expect(text).not.toMatch(/^(?!Secret |Kubernetes )[A-Z][a-z]+ |\.$/);
  });

  test('docs/cli.md shows its usage', () => {
    const command = entry.load();
    if (!isCommandGroup(command)) expect(docs).toContain(usageLine(path, command));
  });
});

test('names of options and arguments are consistent', () => {
  for (const { path, entry } of all) {
    const command = entry.load();
    if (isCommandGroup(command)) continue;
    const options = Object.entries(command.options ?? {});
    const shorts = options.flatMap(([, { short }]) => short ?? []);
    expect([path, new Set(shorts).size]).toEqual([path, shorts.length]);
    for (const [name, option] of options) {
      const { requires, conflictsWith = [] } = option;
      const requiredUnless = 'requiredUnless' in option ? option.requiredUnless : undefined;
      for (const other of [...conflictsWith, ...[requires, requiredUnless].filter((name) => name !== undefined)])
        expect([path, name, Object.hasOwn(command.options ?? {}, other.replace(/=.*$/, ''))]).toEqual([
          path,
          name,
          true,
        ]);
    }
    const args = Object.values(command.arguments ?? {});
    expect(args.slice(0, -1).some(({ repeatable }) => repeatable === true)).toBe(false);
  }
});
