import {
  expectReady,
  makeDaemon,
  makeProjectContext,
  makeService,
  profileChanges,
} from '@pinion-platform/pinion/testing';

const cart = makeService({ name: 'cart' });

test('a new version shows its name and its image where pods change, and nothing else', () => {
  expect(profileChanges(cart, { name: 'default-2', images: { logs: 'docker.io/fluent/fluent-bit:4.9.9' } })).toBe(
    [
      'Deployment cart',
      '  - pinterest.com/runtime-profile: default-1',
      '  + pinterest.com/runtime-profile: default-2',
      '  - - pinion-logs: docker.io/fluent/fluent-bit:4.2.3',
      '  + - pinion-logs: docker.io/fluent/fluent-bit:4.9.9',
    ].join('\n'),
  );
});

test('objects that come and go have a line each', () => {
  const { parts } = makeProjectContext().profile.spec;
  const withoutLogs = parts.filter(({ name }) => name !== 'logs');
  const text = profileChanges(cart, { parts: withoutLogs });
  expect(text).toMatch(/^- ConfigMap cart-logs-[0-9a-f]+$/m);
  expect(text).toMatch(/^ {2}- - pinion-logs: /m);
});

test('the same profile changes nothing', () => {
  expect(profileChanges(cart, {})).toBe('no changes');
  expect(profileChanges(makeDaemon(), {})).toBe('no changes');
});

test('the context is that of the workload, or the given one', () => {
  const context = makeProjectContext({ project: { name: 'basket' }, profile: { name: 'company-1' } });
  const basket = makeService({ project: 'basket' });
  expectReady(basket, context);
  expect(profileChanges(basket, { name: 'company-2' }, context)).toContain(
    '- pinterest.com/runtime-profile: company-1',
  );
});

test('an unknown part is rejected', () => {
  expect(() => profileChanges(cart, { images: { nothing: 'registry.example.com/a:1' } })).toThrow(/nothing/);
});
