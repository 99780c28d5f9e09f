import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'a long name is shortened so that every member has a DNS name',
  expectations: {
    'the host name of the last member is a DNS label': (objects) => {
      const names = objects.filter(({ kind }) => kind === 'Job').map(({ metadata }) => `${metadata.name}-9999`);
      for (const name of names) expect(name).toMatch(/^[a-z][-a-z0-9]{0,61}[a-z0-9]$/);
      expect(new Set(names).size).toBe(2);
    },
    'members refer to each other by the existing Service': (objects) => {
      const service = only(objects, 'Service').metadata.name;
      expect(JSON.stringify(objects)).toContain(`-11.${service}.`.replace('-11', '-10'));
    },
  },
} satisfies GoldenCase;
