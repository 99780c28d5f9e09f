import { escapeLabel } from '../../../lib/operations/audit/audit-metrics';

test.each([
  ['plain ü', 'plain ü'],
  ['a"b\\c\nd', 'a\\"b\\\\c\\nd'],
  ['a\u0000b\u001fc\u007fd\r\t', 'a\ufffdb\ufffdc\ufffdd\ufffd\ufffd'],
])('a label value is one that Prometheus reads: %j', (text, expected) => expect(escapeLabel(text)).toBe(expected));
