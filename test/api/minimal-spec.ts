import { type WorkloadKind } from '../../lib/api';

type Fields = Readonly<Record<string, unknown>>;

const specs: Readonly<Record<WorkloadKind, (template: Fields) => Fields>> = {
  PinterestService: (template) => ({ template }),
  PinterestStatefulSet: (template) => ({ template }),
  PinterestDaemon: (template) => ({ template }),
  PinterestCronJob: (template) => ({ schedule: '@daily', template }),
  PinterestJobSet: (template) => ({ replicatedJobs: [{ name: 'first', template }] }),
  PinterestTrainingJob: (template) => ({
    framework: 'pytorch',
    template,
    roles: { master: {}, worker: { replicas: 2, template } },
  }),
};

/** Returns a spec of a kind with a pod template, in each place that the kind has for one. */
export const minimalSpec = (kind: WorkloadKind, template: Fields): Fields => specs[kind](template);
