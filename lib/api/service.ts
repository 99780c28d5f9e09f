import * as z from 'zod';
import { autoscaling } from './autoscaling';
import { absolutePath, duration, keyedList, label, port, whole, withRules } from './field';
import { loadBalancer, servicePort } from './load-balancer';
import { disruption, rollout } from './rollout';
import { workloadFields } from './workload-fields';

/** Probes for the first container, where it has none of its own. */
const health = () =>
  z.strictObject({
    path: absolutePath('/healthz')
      .optional()
      .describe('Path that answers 200 when healthy; where left out a connection is enough.'),
    port: z
      .union([port(), label('http')])
      .optional()
      .describe('Port to ask; the first port of the load balancer where left out.'),
    interval: duration().default('10s').describe('Time between two questions.'),
    timeout: duration().default('1s').describe('How long an answer may take.'),
    startup: duration().default('1m').describe('How long the start may take before the container is restarted.'),
    failures: whole(1, 100).default(3).describe('Questions in a row without an answer before a pod counts as ill.'),
  });

/** Schema of `PinterestService.spec`: a long-running stateless workload. */
export const serviceSpec = () =>
  withRules(
    z.strictObject({
      replicas: whole(0, 10000).optional().describe('Number of pods; 1 where neither this nor autoscaling is given.'),
      autoscaling: autoscaling().optional().describe('Number of pods by the load, instead of replicas.'),
      loadBalancer: loadBalancer().optional().describe('How clients reach it; without it nobody does.'),
      ports: keyedList(servicePort(), ['name'], 32)
        .optional()
        .describe('Further ports of its Service, within the cluster only.'),
      health: health().optional().describe('Probes for the first container, where it has none of its own.'),
      rollout: rollout().prefault({}).describe('How new versions replace old ones.'),
      disruption: disruption().prefault({}).describe('How many pods a drain must leave.'),
      leaderElection: z
        .boolean()
        .default(false)
        .describe('Whether its pods may hold a Lease of the name of the workload.'),
      ...workloadFields(),
    }),
    [
      {
        name: 'replicas-or-autoscaling',
        cel: '!has(self.replicas) || !has(self.autoscaling)',
        fieldPath: ['autoscaling'],
        reason: 'decides the number of pods, and so does replicas',
        remedy: 'give one of the two',
        code: 'contradiction',
      },
      {
        name: 'health-port',
        cel: '!has(self.health) || has(self.health.port) || has(self.loadBalancer)',
        fieldPath: ['health'],
        reason: 'has no port, and there is no load balancer whose port could be asked',
        remedy: 'give health.port',
        code: 'required',
      },
    ],
  );
