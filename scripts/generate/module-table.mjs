import { cell } from './markers.mjs';

/** Returns the path of a module from the root of the repository. */
const pathOf = (name) => (name.includes('/') ? name : `lib/${name}`);

/** Returns the package name of a specifier, but each entry point of pinion; none for built-in Node modules. */
function packageOf(specifier) {
  if (specifier.startsWith('node:')) return [];
  if (specifier.startsWith('@pinion-platform/')) return [specifier];
  const parts = specifier.split('/');
  return [specifier.startsWith('@') ? parts.slice(0, 2).join('/') : specifier];
}

function importsOf({ modules, packages }) {
  const names = [...modules, ...new Set(packages.flatMap(packageOf))];
  return names.length > 0 ? names.map((name) => `\`${name}\``).join(', ') : '–';
}

/** Renders tables of modules with their dependency rules, one per layer. */
export const moduleTables = (layers) =>
  layers
    .map(({ title, modules }) => {
      const rows = Object.entries(modules).map(
        ([name, module]) =>
          `| \`${pathOf(name)}\` | ${cell(`${module.purpose} ${module.reason}`)} | ${importsOf(module)} |`,
      );
      return [
        `### ${title}`,
        '',
        '| Module | Purpose and boundary | May import |',
        '| --- | --- | --- |',
        ...rows,
      ].join('\n');
    })
    .join('\n\n');
