import { type MachineGroup, type TemplateContent, type TemplateVersion } from './machines';
import { type ReplacementReasons } from './observed-cluster';

/** Template contents by `id:version`; undefined for deleted versions. */
export type TemplateContents = ReadonlyMap<string, TemplateContent | undefined>;

/** Returns the key of a template version. */
export const templateKey = ({ id, version }: TemplateVersion): string => `${id}:${version}`;

/** Returns the machines whose template differs in a value from the current one of their group, with the differences. */
export function outdatedMachines(
  groups: readonly MachineGroup[],
  contents: TemplateContents,
): ReadonlyMap<string, ReplacementReasons> {
  const found = new Map<string, ReplacementReasons>();
  for (const group of groups)
    for (const { id, template } of group.machines) {
      const reasons = template ? differences(template, group.template, contents) : ['not launched from a template'];
      if (reasons.length > 0) found.set(id, reasons);
    }
  return found;
}

function differences(
  current: TemplateVersion,
  target: TemplateVersion,
  contents: TemplateContents,
): ReplacementReasons {
  if (templateKey(current) === templateKey(target)) return [];
  const before = contents.get(templateKey(current));
  const after = contents.get(templateKey(target));
  if (!before || !after) return [`template ${current.id} version ${current.version}, which was deleted`];
  const names = [...new Set([...Object.keys(before.fields), ...Object.keys(after.fields)])].sort();
  return names.flatMap((name) => {
    const [from, to] = [before.fields[name], after.fields[name]];
    return from === to ? [] : [`${name} ${from ?? 'none'} → ${to ?? 'none'}`];
  });
}
