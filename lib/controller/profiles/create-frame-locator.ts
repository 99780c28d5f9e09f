import { readFileSync } from 'node:fs';
import { type Runtime } from 'node:inspector';
import { type StackFrame } from './sampled-stacks';

/** Start of a module in a bundled script. */
interface Section {
  /** Line of its heading, from 0. */
  readonly line: number;
  readonly module: string;
}

/**
 * Returns a function that locates stack frames: in a bundle by the comment above each module. Scripts are read once.
 */
export function createFrameLocator(): (frame: Runtime.CallFrame) => StackFrame {
  const sectionsByUrl = new Map<string, readonly Section[]>();
  return ({ url, functionName, lineNumber }) => {
    if (url === '') return { name: functionName === '' ? '(anonymous)' : functionName, file: '', line: 0 };
    let sections = sectionsByUrl.get(url);
    if (!sections) {
      sections = sectionsOf(url);
      sectionsByUrl.set(url, sections);
    }
    const section = sectionAt(sections, lineNumber);
    const file = section?.module ?? moduleOf(url);
    const line = lineNumber - (section?.line ?? -1);
    return { name: `${file}:${functionName === '' ? `(anonymous:${line})` : functionName}`, file, line };
  };
}

function sectionsOf(url: string): readonly Section[] {
  if (url.startsWith('node:')) return [];
  try {
    const text = readFileSync(url.startsWith('file:') ? new URL(url) : url, 'utf8');
    return text.split('\n').flatMap((content, line) => {
      const heading = /^\/\/ (\S+\.[cm]?[jt]s)$/.exec(content)?.[1];
      return heading === undefined ? [] : [{ line, module: moduleOf(heading) }];
    });
  } catch {
    // A script that is no longer readable still has a name.
    return [];
  }
}

/** Returns the path of a module relative to the parent of `lib` or `node_modules`; other paths are unchanged. */
function moduleOf(path: string): string {
  const packages = path.lastIndexOf('node_modules/');
  if (packages >= 0) return path.slice(packages);
  return /(?:^|\/)(lib\/.*)$/.exec(path)?.[1] ?? path;
}

/** Returns the last section that begins above a line. */
function sectionAt(sections: readonly Section[], line: number): Section | undefined {
  let [from, to] = [0, sections.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((sections[middle] as Section).line < line) from = middle + 1;
    else to = middle;
  }
  return sections[from - 1];
}
