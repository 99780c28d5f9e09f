// Sets the titles, sections and stable URLs of docs/ pages, and the import names of modules.
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Converter, KindRouter, ReflectionKind } from 'typedoc';
import { navigation, positionOf } from './navigation.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const modules = {
  index: '@pinion-platform/pinion',
  api: '@pinion-platform/pinion/api',
  client: '@pinion-platform/pinion/client',
  'controller-runtime': '@pinion-platform/pinion/controller-runtime',
  testing: '@pinion-platform/pinion/testing',
};
const modulesTitle = 'API reference';
const pages = new WeakMap();

const pageOf = (document) =>
  relative(join(root, 'docs'), document.project.files.getReflectionPath(document)).replace(/\.md$/, '');

function describeDocument(_context, document) {
  const page = pageOf(document);
  const section = positionOf(page)?.section;
  if (!section) throw new Error(`docs/${page}.md is in no section of scripts/docs/navigation.mjs`);
  pages.set(document, page);
  markTerminals(document.content);
  document.frontmatter.group = section;
  document.name = /^# (.+)$/m.exec(document.content.map(({ text }) => text).join(''))?.[1].replaceAll('`', '') ?? page;
}

/** Marks code blocks without a language as text: TypeDoc would color them as TypeScript. */
function markTerminals(parts) {
  for (const part of parts)
    if (part.kind === 'code' && part.text.startsWith('```\n')) part.text = part.text.replace('```', '```text');
}

/** Names the modules, and removes the title of the landing page, which the theme shows already. */
function describeProject({ project }) {
  const [first] = project.readme ?? [];
  markTerminals(project.readme ?? []);
  if (first) first.text = first.text.replace(/^# .+\n/, '');
  for (const module of project.getChildrenByKind(ReflectionKind.Module)) module.name = modules[module.name];
}

function orderGroups({ project }) {
  const order = [...Object.keys(navigation), modulesTitle];
  for (const group of project.groups) {
    if (group.title === 'Modules') group.title = modulesTitle;
    group.children.sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));
  }
  project.groups.sort((a, b) => order.indexOf(a.title) - order.indexOf(b.title));
}

const rank = (reflection) => (pages.has(reflection) ? positionOf(pages.get(reflection)).position : 0);

class PageRouter extends KindRouter {
  getIdealBaseName(reflection) {
    return pages.has(reflection) ? `guides/${pages.get(reflection)}` : super.getIdealBaseName(reflection);
  }
}

export function load(app) {
  app.renderer.defineRouter('pages', PageRouter);
  app.converter.on(Converter.EVENT_CREATE_DOCUMENT, describeDocument);
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, describeProject);
  // After the plugin that creates the groups.
  app.converter.on(Converter.EVENT_RESOLVE_END, orderGroups, -1000);
}
