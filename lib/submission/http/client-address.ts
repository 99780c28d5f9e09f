/** The address whose rate counts: of IPv6 the first 64 bits, for who has one has them all. */
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
