/** Somebody whom the local issuer vouches for. */
export interface Person {
  readonly sub: string;
  readonly name: string;
  readonly email: string;
  readonly groups: readonly string[];
}

const person = (sub: string, name: string, ...groups: readonly string[]): Person => ({
  sub,
  name,
  email: `${sub}@example.com`,
  groups,
});

/** People to try things out as: one for each role, and somebody who is no member of anything. */
export const demoPeople: readonly Person[] = [
  person('ada', 'Ada, who administers', 'shop-admins', 'shop-developers'),
  person('ben', 'Ben, who develops', 'shop-developers'),
  person('cleo', 'Cleo, who looks on', 'shop-viewers'),
  person('dora', 'Dora, who is on call', 'shop-oncall', 'shop-developers'),
  person('eve', 'Eve, who is a stranger', 'somebody-else'),
];
