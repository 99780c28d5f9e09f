import { shellImage, type Starter } from '../starter';

/** Three shards that print their index. */
export const jobSetStarter: Starter<'PinterestJobSet'> = {
  kind: 'PinterestJobSet',
  word: 'job-set',
  name: 'backfill',
  spec: {
    shards: 3,
    activeDeadline: '1h',
    template: {
      spec: {
        securityContext: { runAsUser: 1000 },
        containers: [
          {
            name: 'app',
            image: shellImage,
            command: ['sh', '-c', 'echo "shard $PINION_SHARD_INDEX of $PINION_SHARD_COUNT"'],
          },
        ],
      },
    },
  },
};
