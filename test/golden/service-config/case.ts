import { type GoldenCase } from '../golden-case';

export default {
  title: 'a changed file restarts the pods',
  expectations: {
    'pods of the two versions differ in the ConfigMap name, which depends on its content': (objects) => {
      const names = objects
        .filter(({ kind }) => kind === 'Deployment')
        .map(
          (object) =>
            (object['spec'] as { template: { spec: { volumes: { configMap?: { name: string } }[] } } }).template.spec
              .volumes[0]?.configMap?.name,
        );
      expect(new Set(names).size).toBe(2);
      expect(names.every((name) => name?.startsWith('search-config-'))).toBe(true);
    },
    'files never change in place': (objects) =>
      expect(objects.filter(({ kind }) => kind === 'ConfigMap').map((object) => object['immutable'])).toEqual([
        true,
        true,
      ]),
    'the variable of the container takes precedence': (objects) =>
      expect(JSON.stringify(objects)).not.toContain('"name":"LOG_LEVEL","value":"info"'),
  },
} satisfies GoldenCase;
