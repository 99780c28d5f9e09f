import { textAt, type Fields } from './fields';

/** Converts a port of a Service; `ingressProtocol` is the protocol between an Ingress and the port. */
export function portOf(port: Fields, ingressProtocol?: string): Fields {
  const protocol = protocolOf(port, ingressProtocol);
  const { port: number, targetPort } = port;
  const name = textAt(port, 'name') ?? protocol.toLowerCase();
  return { name, port: number, protocol, ...(targetPort !== undefined && targetPort !== number && { targetPort }) };
}

function protocolOf(port: Fields, ingressProtocol: string | undefined): string {
  if (port['protocol'] === 'UDP') return 'UDP';
  const hints = `${textAt(port, 'appProtocol') ?? ''} ${textAt(port, 'name') ?? ''}`.toLowerCase();
  if (/\bgrpc\b/.test(hints)) return 'GRPC';
  if (/h2c|http2/.test(hints)) return 'H2C';
  if (/\bhttps\b/.test(hints)) return 'HTTPS';
  if (/\bhttp\b|\bweb\b/.test(hints)) return ingressProtocol ?? 'HTTP';
  return ingressProtocol ?? 'TCP';
}
