/** Maximum length of a cookie's value that every browser accepts, in addition to its name and attributes. */
const maxPartLength = 3_600;
/** Maximum number of cookies for one value; more could exceed Node's limit for all headers of a request, 16 KB. */
const maxParts = 3;

/** Value in the browser, split into several cookies if it is too long for one. */
export class Cookie {
  constructor(
    private readonly name: string,
    /** Whether to send it over https only, and under a name that no sibling host can set. */
    private readonly secure: boolean,
    private readonly sameSite: 'Strict' | 'Lax',
  ) {}

  /** Returns the value from a Cookie header; undefined if absent or ambiguous. */
  read(header: string | undefined): string | undefined {
    const found = new Map<string, string>();
    for (const pair of (header ?? '').split(';')) {
      const [name = '', ...rest] = pair.trim().split('=');
      // Two with the same name: another application on the host has set one of them.
      if (found.has(name) && name.startsWith(this.#nameOf(0).slice(0, -1))) return undefined;
      found.set(name, rest.join('='));
    }
    let value = '';
    for (let part = 0; part < maxParts; part++) value += found.get(this.#nameOf(part)) ?? '';
    return value === '' ? undefined : value;
  }

  /** Returns the Set-Cookie values that store a value for some seconds; undefined if it is too long. */
  write(value: string, maxAge: number): string[] | undefined {
    if (value.length > maxPartLength * maxParts) return undefined;
    return Array.from({ length: maxParts }, (_, part) => {
      const chunk = value.slice(part * maxPartLength, (part + 1) * maxPartLength);
      return this.#line(part, chunk, chunk === '' ? 0 : maxAge);
    });
  }

  /** Returns the Set-Cookie values that delete it from the browser. */
  expire(): string[] {
    return Array.from({ length: maxParts }, (_, part) => this.#line(part, '', 0));
  }

  #nameOf(part: number): string {
    return `${this.secure ? '__Host-' : ''}${this.name}-${part}`;
  }

  #line(part: number, value: string, maxAge: number): string {
    const secure = this.secure ? '; Secure' : '';
    return `${this.#nameOf(part)}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly${secure}; SameSite=${this.sameSite}`;
  }
}
