import { textAt, type Fields } from './fields';

/** One port of a Service, as ours list them; `behindIngress` is what an Ingress speaks with it. */
export function portOf(port: Fields, behindIngress?: string): Fields {
  const protocol = protocolOf(port, behindIngress);
  const { port: number, targetPort } = port;
  const name = textAt(port, 'name') ?? protocol.toLowerCase();
  return { name, port: number, protocol, ...(targetPort !== undefined && targetPort !== number && { targetPort }) };
}

function protocolOf(port: Fields, behindIngress: string | undefined): string {
  if (port['protocol'] === 'UDP') return 'UDP';
  const said = `${textAt(port, 'appProtocol') ?? ''} ${textAt(port, 'name') ?? ''}`.toLowerCase();
  if (/\bgrpc\b/.test(said)) return 'GRPC';
  if (/h2c|http2/.test(said)) return 'H2C';
  if (/\bhttps\b/.test(said)) return 'HTTPS';
  if (/\bhttp\b|\bweb\b/.test(said)) return behindIngress ?? 'HTTP';
  return behindIngress ?? 'TCP';
}
