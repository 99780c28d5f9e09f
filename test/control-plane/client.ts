import { type ApiResponse, expectStatus } from './api-response';
import { Connection, type ConnectionOptions } from './connection';
import { Discovery, type ObjectReference } from './discovery';
import { waitFor, type WaitOptions } from './wait-for';

/** Query and content type of a request. */
export interface RequestOptions {
  /** Whether to validate and default without storing. @default false */
  readonly dryRun?: boolean;
  /** Handling of unknown and duplicate fields. @default - the server's own: Warn */
  readonly fieldValidation?: 'Strict' | 'Warn' | 'Ignore';
  /** @default application/json */
  readonly contentType?: string;
  /** More query parameters. @default - none */
  readonly query?: Readonly<Record<string, string>>;
}

/** An object of any kind, as sent to the server. */
export type SendableObject = ObjectReference & object;

/** Field manager of the tests. */
const fieldManager = 'pinion-e2e';

/** A minimal client for tests, without retries, that returns every response unchanged. */
export class Client {
  readonly #connection: Connection;
  /** Resources that the server serves. */
  readonly discovery: Discovery;

  constructor(options: ConnectionOptions) {
    this.#connection = new Connection(options);
    this.discovery = new Discovery((path) => this.request('GET', path));
  }

  /** Sends one request; a string body is sent unchanged, anything else as JSON. */
  async request(method: string, path: string, body?: unknown, options: RequestOptions = {}): Promise<ApiResponse> {
    const { dryRun = false, fieldValidation, contentType = 'application/json', query = {} } = options;
    const url = new URL(path, 'https://unused.invalid');
    if (dryRun) url.searchParams.set('dryRun', 'All');
    if (fieldValidation) url.searchParams.set('fieldValidation', fieldValidation);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const wireRequest = { method, path: url.pathname + url.search, contentType };
    const response = await this.#connection.send(text === undefined ? wireRequest : { ...wireRequest, text });
    const isJson = response.contentType.startsWith('application/json');
    return {
      status: response.status,
      body: isJson ? (JSON.parse(response.text) as unknown) : response.text,
      warnings: response.warnings,
    };
  }

  /**
   * Server-side apply as a dry run: validation, defaults and admission of the real server; unknown fields are rejected.
   */
  applyDryRun(object: SendableObject): Promise<ApiResponse> {
    return this.#apply(object, true);
  }

  /** Server-side apply that stores the object; unknown fields are rejected. */
  apply(object: SendableObject): Promise<ApiResponse> {
    return this.#apply(object, false);
  }

  /** Creates an object; unknown fields are rejected unless the options say otherwise. */
  async create(object: SendableObject, options: RequestOptions = {}): Promise<ApiResponse> {
    const path = await this.discovery.collectionPath(object);
    return this.request('POST', path, object, { fieldValidation: 'Strict', ...options });
  }

  /** Reads an object; status 404 where it does not exist. */
  async get(object: ObjectReference): Promise<ApiResponse> {
    return this.request('GET', await this.discovery.objectPath(object));
  }

  /** Deletes an object; finalizers may delay it. */
  async delete(object: ObjectReference): Promise<ApiResponse> {
    return this.request('DELETE', await this.discovery.objectPath(object));
  }

  /** Ensures that a namespace exists: a dry run in a missing namespace is rejected. */
  async ensureNamespace(name: string): Promise<void> {
    expectStatus(await this.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }), [200, 201]);
  }

  /**
   * Deletes an empty namespace and finalizes it, as the controller manager would.
   * Objects in it are not deleted.
   */
  async deleteNamespace(name: string): Promise<void> {
    const path = `/api/v1/namespaces/${encodeURIComponent(name)}`;
    const { body } = expectStatus(await this.request('DELETE', path), [200, 202]);
    const finished = { ...(body as object), spec: { finalizers: [] } };
    expectStatus(await this.request('PUT', `${path}/finalize`, finished), [200]);
    await waitFor(`namespace ${name} to be deleted`, async () => (await this.request('GET', path)).status === 404);
  }

  /** Requests a token of an existing service account. */
  async serviceAccountToken(namespace: string, name: string, seconds: number): Promise<string> {
    const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`;
    const spec = { expirationSeconds: seconds };
    const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec };
    const response = expectStatus(await this.request('POST', path, body), [201]);
    return (response.body as { status: { token: string } }).status.token;
  }

  /** Creates a CustomResourceDefinition and waits until the server serves its kinds. */
  async createCrd(definition: SendableObject): Promise<ApiResponse> {
    const response = expectStatus(await this.apply(definition), [200, 201]);
    const { group, names, versions } = (response.body as { spec: DefinitionSpec }).spec;
    for (const version of versions.filter(({ served }) => served)) {
      await this.waitFor(`${names.kind} of ${group}/${version.name} to be served`, () =>
        this.discovery.serves(`${group}/${version.name}`, names.kind),
      );
    }
    return response;
  }

  /** Polls until there is a result; throws on timeout. */
  waitFor<T>(
    description: string,
    poll: () => Promise<T | undefined | null | false>,
    options?: WaitOptions,
  ): Promise<T> {
    return waitFor(description, poll, options);
  }

  /** Closes all connections. */
  close(): void {
    this.#connection.close();
  }

  async #apply(object: SendableObject, dryRun: boolean): Promise<ApiResponse> {
    return this.request('PATCH', await this.discovery.objectPath(object), object, {
      dryRun,
      fieldValidation: 'Strict',
      // JSON is YAML.
      contentType: 'application/apply-patch+yaml',
      query: { fieldManager, force: 'true' },
    });
  }
}

interface DefinitionSpec {
  readonly group: string;
  readonly names: { readonly kind: string };
  readonly versions: readonly { readonly name: string; readonly served: boolean }[];
}
