/** Returns whether two statuses are equal; an undefined field equals an absent one. */
export function sameStatus(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) || Array.isArray(other))
    return (
      Array.isArray(one) &&
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((each, index) => sameStatus(each, other[index]))
    );
  return sameFields(one as Fields, other as Fields);
}

type Fields = Readonly<Record<string, unknown>>;

function sameFields(one: Fields, other: Fields): boolean {
  let said = 0;
  for (const name of Object.keys(one)) {
    const value = one[name];
    if (value === undefined) continue;
    if (!Object.hasOwn(other, name) || !sameStatus(value, other[name])) return false;
    said += 1;
  }
  // Fields that only the other status has.
  for (const name of Object.keys(other)) if (other[name] !== undefined) said -= 1;
  return said === 0;
}
