import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo } from 'node:net';
import { type JWTPayload } from 'jose';
import { authorizePage } from './authorize-page';
import { demoUsers, type IssuerUser } from './issuer-user';
import { createSigningKey, signToken, type SigningKey, type TokenOptions } from './signing-keys';

/** An OAuth client. */
export interface LocalClient {
  readonly id: string;
  /** Redirect URI. */
  readonly redirectUri: string;
  /** Client secret. @default - none */
  readonly secret?: string;
}

/** Options of a local issuer. */
export interface LocalIssuerOptions {
  /** @default - the demo users */
  readonly users?: readonly IssuerUser[];
  /** Signing algorithm. @default RS256 */
  readonly algorithm?: string;
  /** Milliseconds since 1970. @default - the machine's clock */
  readonly now?: () => number;
  /** Certificate for `localhost` and its key, to serve https. @default - http on 127.0.0.1 */
  readonly tls?: { readonly cert: string; readonly key: string };
}

interface Grant {
  readonly user: IssuerUser;
  readonly asked: URLSearchParams;
  readonly until: number;
}

/** Lifetime of an authorization code in milliseconds. */
const codeLife = 60_000;

/**
 * An OpenID Connect issuer on a free port of the loopback address, for one machine and for tests: any client that can
 * reach it may log
 * in as any user. It has discovery, key rotation, and the authorization code flow with PKCE.
 */
export class LocalIssuer {
  /** Whether it responds with an error, to simulate an outage. */
  isUnreachable = false;
  /** Requested paths, in order. */
  readonly asked: string[] = [];
  readonly #clients = new Map<string, LocalClient>();
  readonly #grants = new Map<string, Grant>();
  #keys: readonly SigningKey[];

  private constructor(
    private readonly server: Server,
    private readonly options: LocalIssuerOptions,
    key: SigningKey,
  ) {
    this.#keys = [key];
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      this.#answer(request, response).catch(() => send(response, 500, { error: 'server_error' }));
    });
  }

  static async start(options: LocalIssuerOptions = {}): Promise<LocalIssuer> {
    const key = await createSigningKey('key-1', options.algorithm);
    const server = options.tls ? createSecureServer(options.tls) : createServer();
    const issuer = new LocalIssuer(server, options, key);
    await new Promise<void>((ready) => issuer.server.listen(0, '127.0.0.1', ready));
    return issuer;
  }

  /** The `iss` claim of its tokens. */
  get url(): string {
    const { port } = this.server.address() as AddressInfo;
    return this.options.tls ? `https://localhost:${port}` : `http://127.0.0.1:${port}`;
  }

  /** The current signing key. */
  get key(): SigningKey {
    return this.#keys[0] as SigningKey;
  }

  /** Registers a client. */
  registerClient(client: LocalClient): void {
    this.#clients.set(client.id, client);
  }

  /** Rotates the signing key; former keys are no longer listed unless they are kept. */
  async rotate({ keepFormer = false } = {}): Promise<void> {
    const key = await createSigningKey(`key-${randomBytes(4).toString('hex')}`, this.options.algorithm);
    this.#keys = [key, ...(keepFormer ? this.#keys : [])];
  }

  /** Returns a token with the given claims; all others are valid by default. */
  createToken(claims: JWTPayload, terms: Partial<TokenOptions> & Pick<TokenOptions, 'audience'>): Promise<string> {
    return signToken(claims, { issuer: this.url, key: this.key, now: this.#now(), ...terms });
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.url);
    this.asked.push(url.pathname);
    if (this.isUnreachable) return send(response, 503, { error: 'temporarily_unavailable' });
    switch (`${request.method} ${url.pathname}`) {
      case 'GET /.well-known/openid-configuration':
        return send(response, 200, this.#description());
      case 'GET /keys':
        return send(response, 200, { keys: this.#keys.map(({ jwk }) => jwk) });
      case 'GET /authorize':
        return this.#authorize(response, url.searchParams);
      case 'POST /authorize':
        return this.#grant(response, await formOf(request));
      case 'POST /token':
        return this.#token(response, await formOf(request));
      default:
        return send(response, 404, { error: 'not_found' });
    }
  }

  #description(): object {
    return {
      issuer: this.url,
      authorization_endpoint: `${this.url}/authorize`,
      token_endpoint: `${this.url}/token`,
      jwks_uri: `${this.url}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: [this.key.alg],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    };
  }

  /** Returns whether the client is known and the redirect URI is its own. */
  #isSound(asked: URLSearchParams): boolean {
    const client = this.#clients.get(asked.get('client_id') ?? '');
    const isCode = asked.get('response_type') === 'code' && asked.get('code_challenge_method') === 'S256';
    return isCode && client !== undefined && asked.get('redirect_uri') === client.redirectUri;
  }

  #authorize(response: ServerResponse, asked: URLSearchParams): void {
    if (!this.#isSound(asked)) return send(response, 400, { error: 'invalid_request' });
    response.setHeader('content-security-policy', "default-src 'none'; frame-ancestors 'none'");
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(authorizePage(this.#users, asked));
  }

  #grant(response: ServerResponse, asked: URLSearchParams): void {
    const user = this.#users.find(({ sub }) => sub === asked.get('user'));
    if (!this.#isSound(asked)) return send(response, 400, { error: 'invalid_request' });
    const back = new URL(asked.get('redirect_uri') ?? '');
    back.searchParams.set('state', asked.get('state') ?? '');
    back.searchParams.set('iss', this.url);
    if (user) {
      const code = randomBytes(24).toString('base64url');
      this.#grants.set(code, { user, asked, until: this.#now() + codeLife });
      back.searchParams.set('code', code);
    } else back.searchParams.set('error', 'access_denied');
    response.writeHead(303, { location: back.href });
    response.end();
  }

  async #token(response: ServerResponse, form: URLSearchParams): Promise<void> {
    const code = form.get('code') ?? '';
    const grant = this.#grants.get(code);
    this.#grants.delete(code);
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const isTheirs =
      form.get('grant_type') === 'authorization_code' &&
      grant !== undefined &&
      this.#now() < grant.until &&
      challenge === grant.asked.get('code_challenge') &&
      form.get('redirect_uri') === grant.asked.get('redirect_uri') &&
      form.get('client_id') === grant.asked.get('client_id') &&
      (form.get('client_secret') ?? undefined) === this.#clients.get(form.get('client_id') ?? '')?.secret;
    if (!isTheirs) return send(response, 400, { error: 'invalid_grant' });
    const nonce = grant.asked.get('nonce');
    const claims = { ...grant.user, email_verified: true, ...(nonce !== null && { nonce }) };
    const id_token = await this.createToken({ ...claims }, { audience: form.get('client_id') ?? '' });
    const access_token = randomBytes(24).toString('base64url');
    return send(response, 200, { access_token, token_type: 'Bearer', expires_in: 3600, id_token });
  }

  get #users(): readonly IssuerUser[] {
    return this.options.users ?? demoUsers;
  }

  #now(): number {
    return this.options.now?.() ?? Date.now();
  }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}

async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return new URLSearchParams(text);
}
