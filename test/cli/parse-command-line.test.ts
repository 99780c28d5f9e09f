import { type CommandSpec } from '../../lib/cli/command/command-spec';
import { parseCommandLine } from '../../lib/cli/command/parse-command-line';
import { UsageError } from '../../lib/cli/command/usage-error';
import { decimalType, httpUrlType, keyValuesType, sizeType, textType } from '../../lib/cli/command/option-value-type';
import { pinion } from './terminal';

const labels = keyValuesType({
  valueName: 'KEY=VALUE,...',
  expected: 'KEY=VALUE,KEY=VALUE',
  key: /^[a-z]+$/,
  value: /^[^=]*$/,
  separator: ',',
});

const spec: CommandSpec = {
  arguments: { file: { valueName: 'FILE', required: true, description: 'file to read' } },
  options: {
    image: { type: 'string', valueName: 'IMAGE', requiredUnless: 'none', description: 'image' },
    none: { type: 'flag', description: 'no image' },
    count: { type: 'integer', min: 1, max: 9, default: 2, environment: 'COUNT', description: 'count' },
    factor: { type: 'parsed', valueType: decimalType({ min: 1, max: 10, example: '1.2' }), description: 'factor' },
    size: { type: 'parsed', valueType: sizeType({ min: '1Mi', example: '8Gi' }), default: '2Gi', description: 'size' },
    labels: { type: 'parsed', valueType: labels, conflictsWith: ['output=file'], description: 'labels' },
    url: { type: 'parsed', valueType: httpUrlType('https://example.com'), description: 'URL' },
    secret: {
      type: 'parsed',
      valueType: { ...textType('TEXT', 'short', ({ length }) => length < 4), isSensitive: () => true },
      description: 'secret',
    },
    days: { type: 'list', items: textType('DAYS', 'days', (text) => /^\d+$/.test(text)), description: 'days' },
    output: { type: 'choice', choices: ['text', 'file'], default: 'text', description: 'output' },
    pretty: { type: 'flag', requires: 'output=file', description: 'indent' },
  },
};

const parse = (argv: readonly string[], environment = {}) => parseCommandLine(['try'], spec, argv, environment);

function messages(argv: readonly string[], environment = {}): readonly string[] {
  try {
    parse(argv, environment);
  } catch (error) {
    if (error instanceof UsageError) return error.messages;
    throw error;
  }
  return [];
}

test('values are parsed to the types of their specs', () => {
  const argv = ['a', '--none', '--factor', '1.5', '--labels', 'a=b,c=', '--url', 'http://x/y', '--days', '1,2'];
  expect(parse([...argv, '--days=3', '--secret', 'abc'], { COUNT: '7' })).toEqual({
    args: { file: 'a' },
    options: {
      none: true,
      count: 7,
      factor: expect.objectContaining({ nanos: 1_500_000_000n }) as unknown,
      size: 2 * 1024 ** 3,
      labels: { a: 'b', c: '' },
      url: new URL('http://x/y'),
      secret: 'abc',
      days: ['1', '2', '3'],
      output: 'text',
      pretty: false,
    },
  });
});

test('all problems are reported at once, each with its value', () => {
  const argv = ['--factor', '11', '--size', '512', '--labels', 'a', '--url', 'ftp://x', '--days', '1,x,y', '--count=0'];
  expect(messages(argv)).toEqual([
    '--factor must be a number from 1 to 10, such as 1.2, not "11"',
    '--size must be a size of at least 1Mi, such as 8Gi, not "512"; did you mean 512Gi?',
    '--labels must be KEY=VALUE,KEY=VALUE, not "a"',
    '--url must be a URL such as https://example.com, not "ftp://x"',
    '--days must be days, not "x"',
    '--days must be days, not "y"',
    '--count must be an integer from 1 to 9, not "0"',
    'try requires FILE: file to read',
    'try requires --image IMAGE',
  ]);
});

test.each<[readonly string[], readonly string[]]>([
  [['a', '--none', '--secret', 'password'], ['--secret must be short']],
  [['a', '--none', '--labels', 'a=b', '--output', 'file'], ['--labels cannot be combined with --output file']],
  [['a', '--none', '--pretty'], ['--pretty requires --output file']],
  [['a', '--none', '--pretty', '--output', 'file'], []],
  [['a', '--none=yes'], ['--none takes no value; omit "yes"']],
  [['a', '--none', '--labls', 'b'], ['unknown option --labls; did you mean --labels?']],
  [['a', '--image'], ['--image requires a value: IMAGE']],
])('%j is reported as %j', (argv, expected) => {
  expect(messages(argv)).toEqual(expected);
});

test('an invalid environment variable is reported by its name', () => {
  expect(messages(['a', '--none'], { COUNT: 'many' })).toEqual(['COUNT must be an integer from 1 to 9, not "many"']);
});

test('prints one line per problem, and how to get help', async () => {
  expect(await pinion(['cluster', 'roll', '--surge', '0', '--timeout', 'soon'])).toEqual({
    code: 2,
    out: '',
    err: `pinion: --surge must be a number of machines or a percentage up to 100%, not "0"
pinion: --timeout must be a duration such as 90s, 15m or 6h, not "soon"
pinion: cluster roll requires CLUSTER: value of the tag pinion/cluster
pinion: cluster roll requires --region REGION; pass it or set AWS_REGION
Try "pinion cluster roll --help".
`,
  });
});
