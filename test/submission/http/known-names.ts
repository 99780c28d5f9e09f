import { type Caller } from '../../../lib/contract';
import { type Authenticator } from '../../../lib/submission/authenticator';

/** Returns a user without groups. */
export const callerNamed = (subject: string): Caller => ({
  subject,
  issuer: 'https://login.example.com',
  kind: 'User',
  groups: [],
});

/** Authenticates `Bearer <name>-token` and the cookie `session=<name>-session`. */
export const knownNames: Authenticator = {
  recognize: () => undefined,
  async authenticate({ authorization, cookie }) {
    const bearer = /^Bearer (\w+)-token$/.exec(authorization ?? '')?.[1];
    if (bearer) return { caller: callerNamed(bearer), by: 'bearer' };
    const session = /\bsession=(\w+)-session\b/.exec(cookie ?? '')?.[1];
    if (session && authorization === undefined) return { caller: callerNamed(session), by: 'session' };
    return { refused: authorization ? 'The token has an "unknown" user.' : 'The request has no credentials.' };
  },
};
