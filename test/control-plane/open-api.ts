import { type ApiResponse, expectStatus } from './api-response';
import { type Client } from './client';

/** Parts of a group version's OpenAPI v3 document that the schema comparison reads. */
export interface OpenApiDocument {
  readonly components?: { readonly schemas?: Readonly<Record<string, unknown>> };
}

/** Path of the server's OpenAPI index. */
const indexPath = '/openapi/v3';

/**
 * Reads the server's OpenAPI schemas, one document by group path: `api/v1`, `apis/apps/v1`.
 * Without a list of group paths it reads all.
 */
export async function readOpenApi(
  client: Client,
  groupPaths?: readonly string[],
): Promise<Readonly<Record<string, OpenApiDocument>>> {
  const index = expectStatus(await client.request('GET', indexPath), [200]);
  const { paths } = parseBody(index) as { paths: Readonly<Record<string, { serverRelativeURL: string }>> };
  const requested = groupPaths ?? Object.keys(paths);
  const documents = await Promise.all(
    requested.map(async (groupPath) => {
      const entry = paths[groupPath];
      if (!entry) throw new Error(`the API server publishes no schemas for ${groupPath}`);
      const response = expectStatus(await client.request('GET', entry.serverRelativeURL), [200]);
      return [groupPath, parseBody(response) as OpenApiDocument] as const;
    }),
  );
  return Object.fromEntries(documents);
}

/** Parses a response: the server sends the index as JSON with content type text/plain. */
const parseBody = ({ body }: ApiResponse): unknown => (typeof body === 'string' ? JSON.parse(body) : body);
