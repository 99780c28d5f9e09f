import { only, type GoldenCase } from '../golden-case';

export default {
  title: "a long name is shortened for the run's minute and the pod's index",
  expectations: {
    'host names of its pods fit into 63 characters': (objects) =>

      expect(`${only(objects, 'CronJob').metadata.name}-29876543-9999`.length).toBeLessThanOrEqual(63),
    'the label that selects it keeps the whole name': (objects) =>
      expect(only(objects, 'CronJob').metadata.labels).toMatchObject({ 'pinterest.com/workload': 'send-the-weekly-digest-to-everyone-who-asked-for-it' }),
  },
} satisfies GoldenCase;
