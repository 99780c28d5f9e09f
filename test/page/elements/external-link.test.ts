import { externalLink, parseWebUrl } from '../../../lib/page/elements/external-link';
import { allOf, textOf } from '../fake-browser';

test.each([
  'javascript:alert(1)',
  ' javascript:alert(1)',
  'data:text/html,x',
  '//evil.example',
  'ftp://a',
  'https://',
  '',
])('%j is not rendered as a link', (address) => {
  expect(parseWebUrl(address)).toBeUndefined();
  expect(allOf(externalLink(address, 'Dashboard'), 'a')).toEqual([]);
});

test('a web address is a link that sends no referrer', () => {
  const link = externalLink('https://dash.example.com/a?b=c', 'Dashboard');
  expect(link.props).toEqual({ href: 'https://dash.example.com/a?b=c', rel: 'noreferrer' });
  expect(textOf(link)).toBe('Dashboard');
});
