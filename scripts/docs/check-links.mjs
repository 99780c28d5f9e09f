// Checks a built site: every internal link must lead to an existing file and anchor, and nothing may load from another
// host. Prints broken links; exits with 1 if there are any.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const attributes = /<(\w+)\b[^>]*?\s(href|src)="([^"]*)"/g;
const isExternal = (link) => /^([a-z][a-z0-9+.-]*:|\/\/)/i.test(link);
const decoded = (text) => decodeURIComponent(text.replaceAll('&amp;', '&'));

/** Returns the broken links of a site, one line each. */
export function brokenLinks(site) {
  const pages = readdirSync(site, { recursive: true })
    .filter((path) => path.endsWith('.html'))
    .map((path) => join(site, path));
  const texts = new Map(pages.map((path) => [path, readFileSync(path, 'utf8')]));
  const anchors = new Map(
    [...texts].map(([path, text]) => [
      path,
      new Set([...text.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => decoded(id))),
    ]),
  );
  const problem = (page, element, attribute, link) => {
    if (isExternal(link)) {
      const loads = attribute === 'src' || element === 'link';
      return loads && !link.startsWith('data:') ? 'is loaded from another host' : undefined;
    }
    const [path, anchor] = link.split('#');
    const target = path === '' ? page : resolve(dirname(page), decoded(path.split('?')[0]));
    if (relative(site, target).startsWith('..')) return 'leads out of the site';
    if (!existsSync(target) || !statSync(target).isFile()) return 'does not exist';
    return anchor && anchors.has(target) && !anchors.get(target).has(decoded(anchor))
      ? 'has no such anchor'
      : undefined;
  };
  const lines = [...texts].flatMap(([page, text]) =>
    [...text.matchAll(attributes)].flatMap(([, element, attribute, link]) => {
      const reason = problem(page, element, attribute, link);
      return reason ? [`${relative(site, page)}: ${link} ${reason}`] : [];
    }),
  );
  return [...new Set(lines)];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const lines = brokenLinks(resolve(process.argv[2] ?? 'build/docs'));
  for (const line of lines) console.error(line);
  if (lines.length > 0) process.exitCode = 1;
}
