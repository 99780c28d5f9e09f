import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  apiVersion,
  safeParseManifest,
  safeParseWorkflow,
  explainProblem,
  isError,
  isPlainObject,
  isWorkflow,
  type PlatformManifest,
} from '../../lib/api';
import { resolvePlatform } from '../../lib/expand';
import { readDocuments } from '../../lib/yaml';

const docs = join(__dirname, '../../docs');
const kindPages = readdirSync(join(docs, 'kinds')).map((name) => `kinds/${name}`);

/** The pinion manifests in a page's YAML blocks, each with its first line on the page. */
function documentsOf(page: string): { readonly value: unknown; readonly line: number }[] {
  const text = readFileSync(join(docs, page), 'utf8');
  return [...text.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].flatMap(({ index, 1: block = '' }) => {
    if (!block.includes(`apiVersion: ${apiVersion}`)) return [];
    const before = text.slice(0, index).split('\n').length;
    const { documents, problems } = readDocuments(block, page);
    expect(problems.map(explainProblem)).toEqual([]);
    return documents
      .filter(({ value }) => isPlainObject(value) && value['apiVersion'] === apiVersion)
      .map(({ value, locate }) => ({ value, line: before + locate([]).line }));
  });
}

const errorsOf = (page: string): string[] =>
  documentsOf(page).flatMap(({ value, line }) =>
    (isWorkflow(value) ? safeParseWorkflow(value) : safeParseManifest(value)).problems
      .filter(isError)
      .map((problem) => `${page}:${line}: ${explainProblem(problem)}`),
  );

describe('YAML on the pages', () => {
  test.each(['getting-started.md', 'connect.md', 'publish.md', 'runtime-profile.md', ...kindPages])(
    '%s: every complete manifest is valid',
    (page) => {
      expect(documentsOf(page).length).toBeGreaterThan(0);
      expect(errorsOf(page)).toEqual([]);
    },
  );

  test.each(['getting-started.md', 'kinds/platform.md', 'kinds/project.md'])(
    '%s: its Platform and Projects are consistent',
    (page) => {
      const manifests = documentsOf(page).map(({ value }) => safeParseManifest(value).manifest as PlatformManifest);
      expect(() => resolvePlatform(manifests)).not.toThrow();
    },
  );
});
