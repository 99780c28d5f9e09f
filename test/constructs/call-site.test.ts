import { runInThisContext } from 'node:vm';
import { callSite } from '../../lib/constructs/call-site';

const thisFile = /test\/constructs\/call-site\.test\.ts$/;
const inFile = (filename: string) =>
  runInThisContext('(create) => { const made = create(); return made; }', { filename }) as <T>(create: () => T) => T;
const wrapperFile = '/srv/app/node_modules/@acme/constructs/index.js';

test('finds the line of the caller', () => {
  expect(callSite()).toMatchObject({ file: expect.stringMatching(thisFile) as string });
});

test('prefers the line that calls a package of constructs to those within the package', () => {
  const wrapper = inFile(wrapperFile) as (create: () => unknown) => unknown;
  expect(wrapper(callSite)).toMatchObject({ file: expect.stringMatching(thisFile) as string });
});

test('does not fail if a program replaces stacks by lists of call sites', () => {
  const { prepareStackTrace } = Error;
  Error.prepareStackTrace = (_, sites) => sites;
  try {
    expect(callSite).not.toThrow();
  } finally {
    if (prepareStackTrace) Error.prepareStackTrace = prepareStackTrace;
    else Reflect.deleteProperty(Error, 'prepareStackTrace');
  }
});
