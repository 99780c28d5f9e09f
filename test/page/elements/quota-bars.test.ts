import { quotaBars } from '../../../lib/page/elements/quota-bars';
import { allOf, textOf } from '../fake-browser';

test('a quota bar has all of its values as text beside it', () => {
  const bars = quotaBars([
    {
      resource: 'requests.cpu',
      hard: '100',
      used: '91500m',
      promised: '97',
      level: 'nearly-full',
      fullOn: '2026-12-02',
    },
  ]);
  expect(textOf(bars)).toMatch(
    /^CPU requestsNearly full, full on .*2026.*91.5 cores used, 97 cores at peak, of 100 cores$/,
  );
  const [bar] = allOf(bars, 'span').filter(({ props }) => props['aria-hidden'] === 'true');
  expect(bar?.children.map((child) => typeof child !== 'string' && child.props.style)).toEqual([
    { width: '97.0%' },
    { width: '91.5%' },
  ]);
});
