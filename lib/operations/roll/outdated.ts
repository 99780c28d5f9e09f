import { type MachineGroup, type TemplateContent, type TemplateVersion } from './machines';
import { type Reasons } from './observed';

/** Contents of templates by `id:version`; undefined for versions that are gone. */
export type TemplateContents = ReadonlyMap<string, TemplateContent | undefined>;

/** Key of a version among the contents. */
export const templateKey = ({ id, version }: TemplateVersion): string => `${id}:${version}`;

/** Which machines are to be replaced, and why: those whose template says something else than their group's says now. */
export function outdatedMachines(
  groups: readonly MachineGroup[],
  contents: TemplateContents,
): ReadonlyMap<string, Reasons> {
  const found = new Map<string, Reasons>();
  for (const group of groups)
    for (const { id, template } of group.machines) {
      const reasons = template ? differences(template, group.template, contents) : ['not started from a template'];
      if (reasons.length > 0) found.set(id, reasons);
    }
  return found;
}

function differences(own: TemplateVersion, wanted: TemplateVersion, contents: TemplateContents): Reasons {
  if (templateKey(own) === templateKey(wanted)) return [];
  const before = contents.get(templateKey(own));
  const after = contents.get(templateKey(wanted));
  if (!before || !after) return [`template ${own.id} version ${own.version}, which is gone`];
  const names = [...new Set([...Object.keys(before.fields), ...Object.keys(after.fields)])].sort();
  return names.flatMap((name) => {
    const [from, to] = [before.fields[name], after.fields[name]];
    return from === to ? [] : [`${name} ${from ?? 'none'} → ${to ?? 'none'}`];
  });
}
