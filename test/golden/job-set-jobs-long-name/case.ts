import { type GoldenCase } from '../golden-case';

export default {
  title: 'long names of the set and its job, whose host names are still DNS labels',
  expectations: {
    'host names fit, whatever the indexes are': (objects) => {
      const names = objects.filter(({ kind }) => kind === 'Job').map(({ metadata }) => metadata.name);
      expect(new Set(names).size).toBe(12);
      for (const name of names) expect(`${name.replace(/-\d+$/, '')}-9999-9999`.length).toBeLessThanOrEqual(63);
    },
  },
} satisfies GoldenCase;
