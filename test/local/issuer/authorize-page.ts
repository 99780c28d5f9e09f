import { type IssuerUser } from './issuer-user';

/** Renders the login page: a form without scripts, with a button for each user. */
export function authorizePage(users: readonly IssuerUser[], asked: URLSearchParams): string {
  const kept = [...asked].map(
    ([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`,
  );
  const buttons = users.map(
    ({ sub, name, groups }) =>
      `<p><button name="user" value="${escaped(sub)}">${escaped(name)}</button> ${escaped(groups.join(', '))}</p>`,
  );
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Log in</title></head><body>' +
    `<h1>Log in as</h1><form method="post" action="/authorize">${kept.join('')}${buttons.join('')}</form></body></html>`
  );
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (found) => `&#${found.charCodeAt(0)};`);
