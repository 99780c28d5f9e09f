import { type LoginRoute, type RouteResponse } from '../../../lib/submission/identity';

/** A minimal browser for a login: it keeps cookies, and follows redirects explicitly. */
export class Browser {
  readonly cookies = new Map<string, string>();
  /** All received Set-Cookie lines. */
  readonly setCookies: string[] = [];

  constructor(private readonly routes: readonly LoginRoute[]) {}

  /** Current Cookie header. */
  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  async request(method: 'GET' | 'POST', url: string): Promise<RouteResponse> {
    const { pathname, search } = new URL(url, 'http://service');
    const route = this.routes.find((each) => each.method === method && each.path === pathname);
    if (!route) throw new Error(`there is no ${method} ${pathname}`);
    const response = await route.handle({ query: search.slice(1), cookie: this.cookie });
    for (const line of [response.headers['set-cookie'] ?? []].flat()) this.storeCookie(line);
    return response;
  }

  /** Logs in at the issuer, and returns the URL that the issuer redirects to. */
  async logInAt(authorizeUrl: string, user: string): Promise<string> {
    const loginPage = await fetch(authorizeUrl);
    const page = await loginPage.text();
    expect(`${loginPage.status} ${page}`).toMatch(/^200 .*<form method="post" action="\/authorize">/);
    const fields = [...page.matchAll(/type="hidden" name="([^"]+)" value="([^"]+)"/g)];
    const form = new URLSearchParams(Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value])));
    form.set('user', user);
    const response = await fetch(new URL('/authorize', authorizeUrl), {
      method: 'POST',
      body: form,
      redirect: 'manual',
    });
    return response.headers.get('location') ?? '';
  }

  private storeCookie(line: string): void {
    this.setCookies.push(line);
    const [pair = '', ...attributes] = line.split('; ');
    const separator = pair.indexOf('=');
    if (attributes.includes('Max-Age=0')) this.cookies.delete(pair.slice(0, separator));
    else this.cookies.set(pair.slice(0, separator), pair.slice(separator + 1));
  }
}
