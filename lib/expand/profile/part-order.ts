import { type Problem, type Spec } from '../../api';

type Part = Spec<'RuntimeProfile'>['parts'][number];

/** Sorts parts by their requirements, then by their order in the profile; reports unknown parts and cycles. */
export function inRequiredOrder(parts: readonly Part[], report: (problem: Problem) => void): Part[] {
  const byName = new Map(parts.map((part) => [part.name, part]));
  const ordered: Part[] = [];
  const state = new Map<string, 'open' | 'done'>();
  const visit = (part: Part, ancestors: readonly string[]): void => {
    if (state.get(part.name) === 'done') return;
    if (state.get(part.name) === 'open') {
      report({
        code: 'invalid-combination',
        path: ['spec', 'parts', parts.indexOf(part), 'requires'],
        value: [...ancestors, part.name].join(' → '),
        reason: 'is a cycle',
        remedy: 'remove one of the requirements',
      });
      return;
    }
    state.set(part.name, 'open');
    for (const name of [...part.requires, ...part.after]) {
      const requiredPart = byName.get(name);
      if (requiredPart) visit(requiredPart, [...ancestors, part.name]);
      else if (part.requires.includes(name)) {
        report({
          code: 'unknown-reference',
          path: ['spec', 'parts', parts.indexOf(part), 'requires', part.requires.indexOf(name)],
          value: name,
          reason: 'is not a part of this profile',
          remedy: `use one of ${[...byName.keys()].join(', ')}`,
        });
      }
    }
    state.set(part.name, 'done');
    ordered.push(part);
  };
  for (const part of parts) visit(part, []);
  return ordered;
}
