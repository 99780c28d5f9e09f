/**
 * Describes how a file differs from its expected content: the number of lines, and the first of them in both versions.
 */
export function firstDifference(path, actualText, expectedText) {
  if (actualText === undefined) return `${path}: is missing`;
  const [actual, expected] = [actualText.split('\n'), expectedText.split('\n')];
  const different = expected.findIndex((text, index) => text !== actual[index]);
  const first = different < 0 ? expected.length : different;
  const count =
    Math.max(actual.length, expected.length) - expected.filter((text, index) => text === actual[index]).length;
  return `${path}:${first + 1}: ${count} lines differ, the first one:\n  - ${actual[first] ?? '(end)'}\n  + ${expected[first] ?? '(end)'}`;
}
