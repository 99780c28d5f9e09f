/** Returns the resource that a plan refers to by name. Throws a `TypeError` if the plan does not create it. */
export function requirePart<Part>(parts: ReadonlyMap<string, Part>, name: string): Part {
  const part = parts.get(name);
  if (part === undefined) throw new TypeError(`plan refers to ${name}, which it does not create`);
  return part;
}
