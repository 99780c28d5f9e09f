import { OutputClosed } from '../../lib/cli/io/io';
import { writeFiles, pinion, service } from './terminal';

test('without a command, prints help as a usage error', async () => {
  const { code, err } = await pinion([]);
  expect(code).toBe(2);
  expect(err).toContain('Usage: pinion <command>');
});

test.each([['--help'], ['help'], ['check', '--help'], ['help', 'render'], ['explain', '-h'], ['crds', '--help']])(
  'help goes to standard output: %s %s',
  async (...argv) => {
    const { code, out, err } = await pinion(argv);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^pinion/);
  },
);

test('the version is that of the package', async () => {
  expect((await pinion(['--version'])).out).toMatch(/^\d+\.\d+\.\d+/);
});

test.each([
  [['rendr', 'a.yaml'], 'did you mean render?'],
  [['frobnicate'], 'use init, check, render, explain, crds'],
  [['--platform', 'x', 'check'], 'the command comes first'],
  [['check', '--platfrm', 'x'], 'unknown option --platfrm; did you mean --platform?'],
  [['check', '--platform'], '--platform requires a value: FILE'],
  [['check', '--platform', '--quiet', 'a.yaml'], '--platform requires a value: FILE'],
  [['check', '--quiet=yes', 'a.yaml'], '--quiet takes no value'],
  [['render', '-o', 'xml', 'a.yaml'], '-o must be yaml or json, not "xml"'],
  [
    ['check'],
    'check requires INPUT: files, folders (all *.yaml, *.yml and *.json files in them), or - for standard input',
  ],
  [
    ['render'],
    'render requires INPUT: files, folders (all *.yaml, *.yml and *.json files in them), or - for standard input',
  ],
  [['explain'], 'explain requires WORKLOAD: NAME, PROJECT/NAME, KIND/NAME or KIND/PROJECT/NAME'],
  [['crds', 'PinterestServce'], 'did you mean PinterestService?'],
])('a usage error suggests a correction: %j', async (argv, message) => {
  const { code, out, err } = await pinion(argv);
  expect([code, out]).toEqual([2, '']);
  expect(err).toContain(message);
});

test('a closed pipe ends the command silently', async () => {
  writeFiles({ 'a.yaml': service('cart') });
  const write = () => Promise.reject(new OutputClosed('gone'));
  expect(await pinion(['render', 'a.yaml', '-q'], '', { write })).toEqual({ code: 3, out: '', err: '' });
});

test('an internal error has a separate exit code', async () => {
  writeFiles({ 'a.yaml': service('cart') });
  const write = () => Promise.reject(new TypeError('oops'));
  const { code, err } = await pinion(['render', 'a.yaml'], '', { write });
  expect(code).toBe(4);
  expect(err).toContain('internal error');
});
