import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rootCommand } from '../../lib/cli/command-table';
import { completionNodes } from '../../lib/cli/commands/completion/completion-nodes';
import { writeFiles, testFolder, pinion } from './terminal';

jest.setTimeout(60_000);

/** Arguments for a shell that completes the last word of a command line. */
const shells: Readonly<Record<'bash' | 'fish', (words: readonly string[]) => readonly string[]>> = {
  bash: (words) => [
    '--norc',
    '-c',
    `source ./pinion.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _pinion; printf '%s\\n' "\${COMPREPLY[@]}"`,
    'bash',
    ...words,
  ],
  fish: (words) => ['--no-config', '-c', 'source ./pinion.fish; complete -C "$argv" | cut -f1', words.join(' ')],
};

const missing = (shell: string): boolean => spawnSync(shell, ['--version']).error !== undefined;

async function prepare(shell: string): Promise<void> {
  const { code, out, err } = await pinion(['completion', shell]);
  expect([code, err]).toEqual([0, '']);
  writeFileSync(join(testFolder(), `pinion.${shell}`), out);
  writeFiles({ 'shop.yaml': '' });
}

const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '');

/** Returns the commands in the help. */
async function listedCommands(): Promise<readonly string[]> {
  return [...(await pinion(['--help'])).out.matchAll(/^ {2}([a-z]+) {2,}\S/gm)].map(([, name]) => name ?? '');
}

/** Returns the options in the help of a command. */
async function listedOptions(path: readonly string[]): Promise<readonly string[]> {
  const { out } = await pinion([...path, '--help']);
  return [...out.matchAll(/^ {2}(?:-[a-zA-Z], )?(--[a-z][a-z-]*)/gm)].map(([, option]) => option ?? '');
}

describe.each(['bash', 'fish'] as const)('%s', (shell) => {
  const testIfInstalled = missing(shell) ? test.skip : test;
  if (missing(shell)) test.skip(`skipped because ${shell} is not installed`, () => undefined);
  const completed = (...words: readonly string[]): string[] =>
    lines(execFileSync(shell, shells[shell](['pinion', ...words]), { cwd: testFolder(), encoding: 'utf8' }));

  testIfInstalled('completes each command', async () => {
    await prepare(shell);
    const commands = await listedCommands();
    expect(commands.length).toBeGreaterThan(20);
    expect(completed('').sort()).toEqual(expect.arrayContaining(commands));
    expect(completed('dep')).toEqual(['deploy']);
    expect(completed('r').sort()).toEqual(commands.filter((name) => name.startsWith('r')).sort());
    expect(completed('help', 'roll').sort()).toEqual(['rollback', 'rollout']);
  });

  testIfInstalled('completes all options that the help of a command lists', async () => {
    await prepare(shell);
    const paths = [['deploy'], ['status'], ['check'], ['publish'], ['cluster', 'roll'], ['quota', 'propose']];
    for (const path of paths) {
      const options = await listedOptions(path);
      expect(options.length).toBeGreaterThan(3);
      expect([path, completed(...path, '--')]).toEqual([path, expect.arrayContaining([...options])]);
    }
    expect(completed('etcd', 'analyze', '--dry')).toEqual([]);
    expect(completed('etcd', 'defrag', '--dry')).toEqual(['--dry-run']);
    expect(completed('deploy', 'shop/cart@1', '--brea')).toEqual(['--break-glass']);
    expect(completed('deploy', '--zz')).toEqual([]);
  });

  testIfInstalled('completes subcommands and arguments only in first position', async () => {
    await prepare(shell);
    expect(completed('capacity', '').sort()).toEqual(['forecast', 'plan', 'simulate']);
    expect(completed('etcd', 'd').sort()).toEqual(['defrag', 'diff', 'disarm']);
    expect(completed('quota', 'review', 'prop')).toEqual([]);
    expect(completed('completion', 'z')).toEqual(['zsh']);
    expect(completed('profile', 'contr').sort()).toEqual(['controller', 'controller-manager']);
    expect(completed('crds', 'PinterestS').sort()).toEqual(['PinterestService', 'PinterestStatefulSet']);
    expect(completed('check', 'crds', 'PinterestS')).toEqual([]);
  });

  testIfInstalled('completes values', async () => {
    await prepare(shell);
    expect(completed('check', '-o', '').sort()).toEqual(['json', 'text']);
    expect(completed('render', '--output', 'y')).toEqual(['yaml']);
    expect(completed('deploy', '--output', 'j')).toEqual(['json']);
    expect(completed('submission', 'manifests', '--exposure', '').sort()).toEqual(['Cluster', 'External', 'Internal']);
  });

  testIfInstalled('completes each value of a comma-separated list', async () => {
    await prepare(shell);
    expect(completed('canary', 'run', '--deployment-path', '').sort()).toEqual(['controller', 'submission', 'synth']);
    expect(completed('canary', 'run', '--kind', 'PinterestD')).toEqual(['PinterestDaemon']);
    expect(completed('rules', '--without', 'pinion-canary,pinion-q')).toEqual(['pinion-canary,pinion-quota']);
    expect(completed('cluster', 'roll', 'prod', '--evict', 'x,')).toEqual(expect.arrayContaining(['x,jobs']));
  });
});

test('bash treats the "=" between an option and its value as a separate word', async () => {
  await prepare('bash');
  const reply = (...words: readonly string[]): string[] =>
    lines(execFileSync('bash', shells.bash(words), { cwd: testFolder(), encoding: 'utf8' }));
  expect(reply('pinion', 'render', '--output', '=', 'y')).toEqual(['yaml']);
  expect(reply('pinion', 'render', '--output', '=').sort()).toEqual(['json', 'yaml']);
});

describe('zsh', () => {
  const testIfInstalled = missing('zsh') ? test.skip : test;
  if (missing('zsh')) test.skip('skipped because zsh is not installed', () => undefined);

  /** Returns the command line of an interactive zsh after Tab is pressed. */
  const lineAfterTab = (text: string): string => {
    const script = `
      zmodload zsh/zpty
      zpty shell 'TERM=dumb zsh -f -i'
      zpty -w shell 'autoload -Uz compinit; compinit -u -D; zstyle ":completion:*" menu no; unsetopt auto_list; source ./pinion.zsh; bindkey "^X" show; show() { print -r -- "<<$BUFFER>>"; exit }; zle -N show; PROMPT=; print re''ady'
      zpty -r shell seen '*ready*'
      zpty -w -n shell $'${text}\\t\\C-x'
      zpty -r shell seen '*>>*'
      print -r -- "$seen"`;
    const { stdout } = spawnSync('zsh', ['-f', '-c', script], { cwd: testFolder(), encoding: 'utf8', timeout: 30_000 });
    return /<<(.*)>>/.exec(stdout)?.[1] ?? stdout;
  };

  testIfInstalled.each([
    ['pinion depl', 'pinion deploy '],
    ['pinion deploy --brea', 'pinion deploy --break-glass '],
    ['pinion capacity fo', 'pinion capacity forecast '],
    ['pinion render --output y', 'pinion render --output yaml '],
    ['pinion render --output=y', 'pinion render --output=yaml '],
    ['pinion canary run --deployment-path syn', 'pinion canary run --deployment-path synth '],
    ['pinion rules --without pinion-canary,pinion-q', 'pinion rules --without pinion-canary,pinion-quota '],
    ['pinion rules --without=pinion-canary,pinion-q', 'pinion rules --without=pinion-canary,pinion-quota '],
    ['pinion profile sch', 'pinion profile scheduler '],
    ['pinion check sho', 'pinion check shop.yaml '],
    ['pinion help rollb', 'pinion help rollback '],
  ])('%s is completed to %s', async (text, line) => {
    await prepare('zsh');
    expect(lineAfterTab(text)).toBe(line);
  });
});

test.each([
  [[], 'completion requires SHELL: bash, zsh, fish'],
  [['tcsh'], 'SHELL must be bash, zsh or fish, not "tcsh"'],
  [['bash', 'zsh'], 'unexpected argument "zsh"'],
])('an unknown shell is a usage error: %j', async (words, message) => {
  const { code, err } = await pinion(['completion', ...words]);
  expect([code, err]).toEqual([2, expect.stringContaining(message)]);
});

const groups = completionNodes(rootCommand).flatMap(({ path: [name, subcommand] }) =>
  name !== undefined && subcommand !== undefined ? [[name, subcommand] as const] : [],
);

test('the command tree has subcommands', () => {
  expect(new Set(groups.map(([name]) => name))).toEqual(
    new Set([
      ...['artifact', 'canary', 'capacity', 'cluster', 'crds', 'etcd', 'impact', 'platform', 'quota', 'submission'],
      'rollout',
      'train',
    ]),
  );
});

test.each(groups)('a completed subcommand exists: %s %s', async (name, subcommand) => {
  // The words after crds are also its own arguments.
  const unknown = name === 'crds' ? 'nonsense is not a pinion kind' : `unknown subcommand "nonsense" of ${name}`;
  expect((await pinion([name, 'nonsense'])).err).toContain(unknown);
  expect((await pinion([name, subcommand])).err).not.toMatch(/unknown subcommand|requires a subcommand/);
});
