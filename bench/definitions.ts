/** Prints the size of each CustomResourceDefinition, and of the parts of its schema. */
import { type PinionKind, pinionKinds } from '../lib/api';
import { definitionSize, measuredKeywords } from '../test/api/definition-size';

const row = (cells: readonly (string | number)[]): string =>
  cells.map((cell, column) => String(cell)[column === 0 ? 'padEnd' : 'padStart'](column === 0 ? 22 : 12)).join('');

console.log(
  row(['bytes', 'file', 'JSON', ...measuredKeywords.map((keyword) => keyword.replace(/^x-kubernetes-/, ''))]),
);
for (const kind of Object.keys(pinionKinds) as PinionKind[]) {
  const { yaml, json, parts } = definitionSize(kind);
  console.log(row([kind, yaml, json, ...measuredKeywords.map((keyword) => parts[keyword])]));
}
