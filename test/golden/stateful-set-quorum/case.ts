import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'an ensemble whose members start together and find each other before they are ready',
  expectations: {
    'names of members resolve at once, and the Service of the clients waits for readiness': (objects) => {
      const members = only(objects, 'Service', 'zookeeper-members').spec;
      expect(members).toMatchObject({ clusterIP: 'None', publishNotReadyAddresses: true });
      expect(members).toMatchObject({ ports: [{ port: 2181 }, { port: 2888 }, { port: 3888 }] });
      const clients = only(objects, 'Service', 'zookeeper').spec;
      expect(clients).toMatchObject({ ports: [{ name: 'client', port: 2181 }] });
      expect(clients).not.toHaveProperty('publishNotReadyAddresses');
    },
    'a member knows its number, which begins with 1, and its domain before its own variables': (objects) => {
      expect(only(objects, 'StatefulSet').spec).toMatchObject({
        ordinals: { start: 1 },
        podManagementPolicy: 'Parallel',
      });
      const spec = only(objects, 'StatefulSet').spec as {
        template: { spec: { containers: { env: { name: string }[] }[] } };
      };
      const names = spec.template.spec.containers[0]?.env.map(({ name }) => name);
      expect(names).toEqual(['PINION_MEMBER_INDEX', 'PINION_MEMBERS_DOMAIN', 'PEERS']);
    },
    'members, and so their volumes, are spread over zones by force, and a drain leaves four': (objects) => {
      expect(only(objects, 'StatefulSet').spec).toMatchObject({
        template: {
          spec: {
            topologySpreadConstraints: [
              { topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'DoNotSchedule' },
              { topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'DoNotSchedule' },
            ],
          },
        },
      });
      expect(only(objects, 'PodDisruptionBudget').spec).toMatchObject({ minAvailable: 4 });
    },
  },
} satisfies GoldenCase;
