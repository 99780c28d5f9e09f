/** A user of the local issuer. */
export interface IssuerUser {
  readonly sub: string;
  readonly name: string;
  readonly email: string;
  readonly groups: readonly string[];
}

const user = (sub: string, name: string, ...groups: readonly string[]): IssuerUser => ({
  sub,
  name,
  email: `${sub}@example.com`,
  groups,
});

/** Demo users: one for each role, and one who is not a member of any group. */
export const demoUsers: readonly IssuerUser[] = [
  user('ada', 'Ada (administrator)', 'shop-admins', 'shop-developers'),
  user('ben', 'Ben (developer)', 'shop-developers'),
  user('cleo', 'Cleo (viewer)', 'shop-viewers'),
  user('dora', 'Dora (on call)', 'shop-oncall', 'shop-developers'),
  user('eve', 'Eve (no group)', 'somebody-else'),
];
