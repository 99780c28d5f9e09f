import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { type ExtraRoute } from './http/extra-route';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

/**
 * Returns the routes of the page: its document at /, all other files of its folder under /assets; all files are read
 * once.
 */
export function pageRoutes(folder: string): readonly ExtraRoute[] {
  if (!existsSync(folder)) return [];
  const files = new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]));
  const document = files.get('index.html');
  const fileResponse = (name: string, body: Buffer, cache: string, known: string | undefined) => {
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
    const headers = {
      'content-type': types[extname(name)] ?? 'application/octet-stream',
      'cache-control': cache,
      etag,
    };
    return Promise.resolve(known === etag ? { status: 304, headers, body: '' } : { status: 200, headers, body });
  };
  const notFound = {
    status: 404,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    body: 'file not found\n',
  };
  return [
    ...(document
      ? [
          {
            method: 'GET',
            path: '/',
            handle: ({ ifNoneMatch }) => fileResponse('index.html', document, 'no-cache', ifNoneMatch),
          } satisfies ExtraRoute,
        ]
      : []),
    {
      method: 'GET',
      path: '/assets/*',
      handle: ({ path, ifNoneMatch }) => {
        const name = path.slice('/assets/'.length);
        const body = files.get(name);
        // Names of scripts and styles contain a hash of their content.
        return body
          ? fileResponse(name, body, 'public, max-age=31536000, immutable', ifNoneMatch)
          : Promise.resolve(notFound);
      },
    },
  ];
}
