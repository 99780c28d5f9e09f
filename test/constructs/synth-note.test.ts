import { synthNote } from '../../lib/constructs/synth-note';

const late = {
  code: 'invalid-combination',
  path: ['spec', 'schedule'],
  reason: 'never fires',
  remedy: 'choose a day that exists',
  severity: 'warning',
} as const;

test('lists all warnings, and says that the built-in Platform was used', () => {
  expect(synthNote({ warnings: [late], platform: 'built-in' })).toBe(
    'pinion: warning invalid-combination: spec.schedule: never fires; choose a day that exists\n' +
      'pinion: the built-in Platform was used: no pinion.platform.yaml was found in this folder or its parents\n',
  );
});

test('is empty without warnings', () => {
  expect(synthNote({ warnings: [], platform: '/shop/pinion.platform.yaml' })).toBe('');
});
