import { shellImage, type Starter } from '../starter';

/** A report at night. */
export const cronJobStarter: Starter<'PinterestCronJob'> = {
  kind: 'PinterestCronJob',
  word: 'cron-job',
  name: 'report',
  spec: {
    schedule: '15 3 * * *',
    activeDeadline: '1h',
    template: {
      spec: {
        securityContext: { runAsUser: 1000 },
        containers: [{ name: 'app', image: shellImage, command: ['sh', '-c', 'echo "report of $(date)"'] }],
      },
    },
  },
};
