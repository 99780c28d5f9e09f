/** Characters of a cookie's value that every browser takes, its name and attributes beside it. */
const longestPart = 3_600;
/** Cookies that one value may be spread over; with them Node's bound for all headers of a request, 16 KB, is kept. */
const maxParts = 3;

/** Value in the browser, split into several cookies if it is too long for one. */
export class Cookie {
  constructor(
    private readonly name: string,
    /** Sends it by https alone, and under a name that no neighbouring host can set. */
    private readonly secure: boolean,
    private readonly sameSite: 'Strict' | 'Lax',
  ) {}

  /** What a header Cookie holds of it; undefined where there is nothing, or where it is not clear what. */
  read(header: string | undefined): string | undefined {
    const found = new Map<string, string>();
    for (const pair of (header ?? '').split(';')) {
      const [name = '', ...rest] = pair.trim().split('=');
      // Two of one name: some other page of the host has set one of them.
      if (found.has(name) && name.startsWith(this.#nameOf(0).slice(0, -1))) return undefined;
      found.set(name, rest.join('='));
    }
    let value = '';
    for (let part = 0; part < maxParts; part++) value += found.get(this.#nameOf(part)) ?? '';
    return value === '' ? undefined : value;
  }

  /** Values of Set-Cookie that keep a value for some seconds; undefined where it is too long to be kept. */
  write(value: string, maxAge: number): string[] | undefined {
    if (value.length > longestPart * maxParts) return undefined;
    return Array.from({ length: maxParts }, (_, part) => {
      const piece = value.slice(part * longestPart, (part + 1) * longestPart);
      return this.#line(part, piece, piece === '' ? 0 : maxAge);
    });
  }

  /** Values of Set-Cookie that make the browser forget it. */
  forget(): string[] {
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
