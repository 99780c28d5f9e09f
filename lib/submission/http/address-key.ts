/** Returns the rate limit key of an address: for IPv6 its /64 network, because clients own a whole one. */
export function addressKey(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  if (!plain.includes(':')) return plain;
  const [head = '', tail = ''] = plain.split('%', 1)[0]?.split('::') ?? [];
  const groups = (text: string): string[] => text.split(':').filter((group) => group !== '');
  const [front, back] = [groups(head), groups(tail)];
  const middle = plain.includes('::') ? Math.max(0, 8 - front.length - back.length) : 0;
  const all = [...front, ...Array.from({ length: middle }, () => '0'), ...back];
  return all
    .slice(0, 4)
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''))
    .join(':');
}
