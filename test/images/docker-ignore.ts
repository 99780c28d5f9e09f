/**
 * Returns a predicate of whether Docker sends a path of the checkout to the builder: the last line of the ignore
 * file that matches the path or a folder above it decides. `**` and `?` are not supported, because no line has them.
 */
export function readIgnoreFile(text: string): (path: string) => boolean {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  const rules = lines.map((line) => {
    const isKept = line.startsWith('!');
    return { isKept, pattern: patternOf(isKept ? line.slice(1) : line) };
  });
  return (path) => {
    const steps = path.replace(/\/$/, '').split('/');
    const paths = steps.map((_, index) => steps.slice(0, index + 1).join('/'));
    return rules.findLast(({ pattern }) => paths.some((each) => pattern.test(each)))?.isKept ?? true;
  };
}

function patternOf(line: string): RegExp {
  if (/\*\*|\?|\[/.test(line)) throw new Error(`${line} has a wildcard that this reader does not support`);
  const parts = line.replace(/\/$/, '').split('*');
  return new RegExp(`^${parts.map((part) => part.replace(/[.+^${}()|\\]/g, '\\$&')).join('[^/]*')}$`);
}
