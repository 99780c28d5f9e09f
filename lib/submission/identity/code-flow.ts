import {
  allowInsecureRequests,
  authorizationCodeGrant,
  AuthorizationResponseError,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientError,
  ClientSecretPost,
  customFetch,
  discovery,
  None,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
  type Configuration,
} from 'openid-client';
import { type Clock } from '../../kube';
import { type SessionSettings } from '../../programs';
import { isLoopback } from '../../programs';

/** Timeout of requests to the issuer, in seconds. */
const requestTimeoutSeconds = 10;
/** Milliseconds for which the issuer's metadata is cached. */
const metadataTtl = 3_600_000;

/** Error codes of the library for an issuer that is slow or sends invalid responses. */
const issuerFaults = [
  'OAUTH_TIMEOUT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
];

/** State of a login, known only to the browser that started it. */
interface LoginSecrets {
  readonly state: string;
  readonly nonce: string;
  /** Proves to the issuer that the login is completed by the browser that started it (PKCE). */
  readonly verifier: string;
}

/** Thrown if a login fails; `message` is for users and contains no secrets. */
export class LoginFailed extends Error {
  override readonly name = 'LoginFailed' as const;
  constructor(
    readonly status: 400 | 403 | 503,
    message: string,
    /** Failure code for operators. */
    readonly code: string,
  ) {
    super(message);
  }
}

/** Options of the flow. */
export interface CodeFlowOptions {
  readonly settings: SessionSettings;
  /** Client secret of the service. @default - PKCE alone */
  readonly secret?: string | undefined;
  readonly clock: Clock;
  /** @default - the global fetch */
  readonly fetch?: typeof fetch | undefined;
}

/** Authorization code flow of OpenID Connect, with PKCE, state and nonce. */
export class CodeFlow {
  readonly #redirectUri: string;
  #cached: { readonly configuration: Promise<Configuration>; readonly until: number } | undefined;

  constructor(
    private readonly options: CodeFlowOptions,
    private readonly callbackPath: string,
  ) {
    this.#redirectUri = new URL(callbackPath, options.settings.publicUrl).href;
  }

  /** Returns the URL to log in at, and the secrets that identify the login. Throws a `LoginFailed`. */
  async begin(): Promise<{ readonly url: string; readonly secrets: LoginSecrets }> {
    const secrets = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
    const { scopes } = this.options.settings;
    const url = buildAuthorizationUrl(await this.#configuration(), {
      redirect_uri: this.#redirectUri,
      scope: scopes.join(' '),
      state: secrets.state,
      nonce: secrets.nonce,
      code_challenge: await calculatePKCECodeChallenge(secrets.verifier),
      code_challenge_method: 'S256',
    });
    return { url: url.href, secrets };
  }

  /** Exchanges the callback query for an ID token, whose signature is not verified here. Throws a `LoginFailed`. */
  async finish(query: string, secrets: LoginSecrets): Promise<string> {
    const configuration = await this.#configuration();
    const url = new URL(`${this.callbackPath}?${query}`, this.options.settings.publicUrl);
    try {
      const { id_token } = await authorizationCodeGrant(configuration, url, {
        pkceCodeVerifier: secrets.verifier,
        expectedState: secrets.state,
        expectedNonce: secrets.nonce,
        idTokenExpected: true,
      });
      if (id_token !== undefined) return id_token;
      throw new LoginFailed(403, 'The issuer returned no ID token.', 'no-id-token');
    } catch (error) {
      throw failureOf(error);
    }
  }

  #configuration(): Promise<Configuration> {
    const now = this.options.clock.now();
    if (this.#cached && now < this.#cached.until) return this.#cached.configuration;
    const configuration = this.#discover();
    this.#cached = { configuration, until: now + metadataTtl };
    configuration.catch(() => (this.#cached = undefined));
    return configuration;
  }

  async #discover(): Promise<Configuration> {
    const { settings, secret, fetch } = this.options;
    const issuer = new URL(settings.issuer);
    const proof = secret === undefined ? None() : ClientSecretPost(secret);
    try {
      return await discovery(issuer, settings.clientId, undefined, proof, {
        timeout: requestTimeoutSeconds,
        execute: isLoopback(issuer) ? [allowInsecureRequests] : [],
        ...(fetch && { [customFetch]: (url: string, init: object) => fetch(url, init) }),
      });
    } catch {
      throw issuerUnavailable();
    }
  }
}

/**
 * Converts an error at the end of a login, without messages of the issuer or the library, which may contain codes and
 * tokens.
 */
function failureOf(error: unknown): LoginFailed {
  if (error instanceof LoginFailed) return error;
  if (error instanceof AuthorizationResponseError)
    return new LoginFailed(403, 'The issuer denied the login.', safeCode(error.error));
  if (error instanceof ResponseBodyError || error instanceof WWWAuthenticateChallengeError)
    return new LoginFailed(
      403,
      'The issuer rejected the login code: it was already used, or has expired.',
      error instanceof ResponseBodyError ? safeCode(error.error) : 'client-refused',
    );
  if (error instanceof ClientError && !issuerFaults.includes(error.code ?? ''))
    return new LoginFailed(
      400,
      'The response does not belong to the login that was started here.',
      safeCode(error.code),
    );
  return issuerUnavailable();
}

const issuerUnavailable = (): LoginFailed =>
  new LoginFailed(503, 'The login issuer does not respond; try again later.', 'issuer-away');

const safeCode = (code: unknown): string => (typeof code === 'string' && /^\w{1,64}$/.test(code) ? code : 'unknown');
