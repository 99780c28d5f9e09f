/** What a plan names by another part's name. Throws where the part is not there. */
export function partNamed<Part>(parts: ReadonlyMap<string, Part>, name: string): Part {
  const part = parts.get(name);
  if (part === undefined) throw new TypeError(`the plan names ${name}, which it does not make`);
  return part;
}
