import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { exitCodes } from '../../lib/cli/command/exit-codes';
import { pinion } from '../cli/terminal';
import { commandsInBlocks, commandsInSentences, type ShownCommand } from './page-commands';
import { pageText } from './page-tables';

jest.setTimeout(120_000);

const runbooks = readdirSync(join(__dirname, '../../docs/runbooks')).map((name) => `runbooks/${name}`);
/** Pages whose commands no other test runs. */
const pages = [
  'canary',
  'capacity',
  'cluster',
  'etcd',
  'install',
  'audit',
  'clients',
  'fleet',
  'observability',
  'profile',
  'quota',
  'rolling',
  'rollouts',
];
const inRunbooks = runbooks.flatMap((page) => [
  ...commandsInBlocks(pageText(page)),
  ...commandsInSentences(pageText(page)),
]);

/** Nothing is available: no cluster, no etcd, no account. */
const system = {
  environment: {
    KUBECONFIG: '/nowhere',
    ETCDCTL_ENDPOINTS: 'http://127.0.0.1:1',
    HOME: '/nowhere',
    AWS_REGION: 'none',
  },
  clock: { now: () => 0, after: () => () => undefined, random: () => 0 },
};

/** Such a command would not terminate, so only its options are parsed. */
const isEndless = ({ argv }: ShownCommand): boolean => argv.includes('--listen') || argv.at(-1) === '-';

/** Usage errors of a command as written; the resources that it names need not exist. */
async function complaintsOf(command: ShownCommand): Promise<string[]> {
  const known = await pinion([...command.argv, '--help']);
  if (known.code !== exitCodes.success) return [`${command.text}: ${known.err}`];
  if (isEndless(command)) return [];
  const { code, err } = await pinion(command.argv, '', { system });
  return code === exitCodes.usage || code === exitCodes.internalError ? [`${command.text}: ${err}`] : [];
}

async function allComplaints(commands: readonly ShownCommand[]): Promise<string[]> {
  const each = new Map(commands.map((command) => [command.text, command]));
  return (await Promise.all([...each.values()].map(complaintsOf))).flat();
}

test('each command that a runbook names can be run as written', async () => {
  expect(inRunbooks.length).toBeGreaterThan(80);
  expect(await allComplaints(inRunbooks)).toEqual([]);
});

test('etcd, quota and artifact commands of the runbooks have the options that they need', () => {
  const checks = runbooks.flatMap((page) => commandsInBlocks(pageText(page)));
  const startingWith = (start: RegExp): string[] => checks.map(({ text }) => text).filter((text) => start.test(text));
  for (const text of startingWith(/^pinion etcd (?!analyze|diff)/))
    for (const option of ['endpoints', 'cacert', 'cert', 'key']) expect(text).toContain(` --${option} `);
  for (const text of startingWith(/^pinion etcd analyze/)) expect(text).toContain(' --quota SIZE ');
  for (const text of startingWith(/^pinion quota status/)) expect(text).toContain(' --live ');
  for (const text of startingWith(/^pinion artifact/)) expect(text).toContain(' --store ');
});

test.each(pages)('each command in the blocks of %s.md can be run as written', async (page) => {
  const commands = commandsInBlocks(pageText(`${page}.md`));
  expect(commands.length).toBeGreaterThan(0);
  expect(await allComplaints(commands)).toEqual([]);
});

test.each([
  ['    pinion capacity plan\n', 'capacity plan requires FILE'],
  ['    npx --no-install pinion etcd statsu\n', 'unknown subcommand "statsu" of etcd; did you mean status?'],
  ['```sh\n$ cat a | pinion quota status --lief x > y\n```\n', 'unknown option --lief'],
  ['    pinion etcd analyze now.db && pinion check -o xml FILE\n', '-o must be text or json, not "xml"'],
])('finds a command that cannot be run: %j', async (page, complaint) => {
  expect(await allComplaints(commandsInBlocks(page))).toEqual([expect.stringContaining(complaint)]);
});
