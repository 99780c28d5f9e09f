/** Returns whether two statuses are equal; an undefined field equals an absent one. */
export function sameStatus(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b))
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((each, index) => sameStatus(each, b[index]))
    );
  return sameFields(a as Fields, b as Fields);
}

type Fields = Readonly<Record<string, unknown>>;

function sameFields(a: Fields, b: Fields): boolean {
  let fieldBalance = 0;
  for (const name of Object.keys(a)) {
    const value = a[name];
    if (value === undefined) continue;
    if (!Object.hasOwn(b, name) || !sameStatus(value, b[name])) return false;
    fieldBalance += 1;
  }
  // Fields that only the second status has.
  for (const name of Object.keys(b)) if (b[name] !== undefined) fieldBalance -= 1;
  return fieldBalance === 0;
}
