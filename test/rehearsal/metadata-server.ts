/** Instance metadata of a machine, by path under `/latest/meta-data/`. */
export type Metadata = Readonly<Record<string, string>>;

/** Address and port of the EC2 metadata service. */
export const metadataAddress = '169.254.169.254';

/**
 * Program of a metadata service that identifies a machine by its address and responds only to requests with a session token.
 * Its argument is a JSON file with the metadata of each machine by address; other paths return 404.
 */
export const metadataServer = `const { readFileSync } = require('node:fs');
const credentials = JSON.stringify({
  Code: 'Success', Type: 'AWS-HMAC', AccessKeyId: 'rehearsal', SecretAccessKey: 'rehearsal', Token: 'rehearsal',
  LastUpdated: new Date().toISOString(), Expiration: new Date(Date.now() + 6 * 3600_000).toISOString(),
});
const role = 'iam/security-credentials/';
require('node:http').createServer((asked, answer) => {
  const end = (status, text) => answer.writeHead(status, { 'content-type': 'text/plain' }).end(text);
  if (asked.method === 'PUT' && asked.url === '/latest/api/token')
    return asked.headers['x-aws-ec2-metadata-token-ttl-seconds'] ? end(200, 'token-of-a-session') : end(400, '');
  if (asked.headers['x-aws-ec2-metadata-token'] !== 'token-of-a-session') return end(401, '');
  const path = asked.url.replace('/latest/meta-data/', '');
  if (path === role) return end(200, 'machine');
  if (path === role + 'machine') return end(200, credentials);
  const own = JSON.parse(readFileSync(process.argv[2], 'utf8'))[asked.socket.remoteAddress] ?? {};
  return path in own ? end(200, own[path]) : end(404, '');
}).listen(80, '${metadataAddress}');
`;
