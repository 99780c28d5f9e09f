import { only, type GoldenCase } from '../golden-case';

export default {
  title: 'an ensemble whose members start together and resolve each other before they are ready',
  expectations: {
    'member names resolve at once, and the client Service waits for readiness': (objects) => {
      const members = only(objects, 'Service', 'zookeeper-members').spec;
      expect(members).toMatchObject({ clusterIP: 'None', publishNotReadyAddresses: true });
      expect(members).toMatchObject({ ports: [{ port: 2181 }, { port: 2888 }, { port: 3888 }] });
      const clients = only(objects, 'Service', 'zookeeper').spec;
      expect(clients).toMatchObject({ ports: [{ name: 'client', port: 2181 }] });
      expect(clients).not.toHaveProperty('publishNotReadyAddresses');
    },
    'a member has its number, which starts at 1, and its domain before its own variables': (objects) => {
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
    'members and their volumes must be spread across zones, and a drain leaves four': (objects) => {
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
