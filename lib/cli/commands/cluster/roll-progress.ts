import { type RollListener, type RollPlan, type RollStep } from '../../../operations';
import { type Io } from '../../io/io';
import { errorText } from '../../../process';

/** Prints each event once: steps as they start, waits and rejected evictions when their reason changes. */
export function rollListener(io: Io): RollListener {
  let waits = '';
  let gate = '';
  const rejections = new Map<string, string>();
  return {
    onStep: (step) => {
      const text = stepText(step);
      if (text !== undefined) io.writeError(`${text}\n`);
    },
    onPlan: (plan) => {
      const text = waitsText(plan);
      if (text !== '' && text !== waits) io.writeError(text);
      waits = text;
    },
    onRejected: (rejected) => {
      for (const { namespace, name, reason } of rejected) {
        if (rejections.get(`${namespace}/${name}`) !== reason)
          io.writeError(`  ${namespace}/${name} cannot be evicted yet: ${reason}\n`);
        rejections.set(`${namespace}/${name}`, reason);
      }
    },
    onGate: (reasons) => {
      const text = reasons.map((reason) => `canary: ${reason}\n`).join('');
      if (text !== gate) io.writeError(text);
      gate = text;
    },
    onError: (error) => io.writeError(`retrying: ${errorText(error)}\n`),
  };
}

/** Returns the description of a step; undefined for bookkeeping steps. */
function stepText(step: RollStep): string | undefined {
  switch (step.do) {
    case 'mark-draining':
      return `${step.group}: ${step.machine} will be drained`;
    case 'resize':
      return `${step.group}: resized to ${step.size} machines`;
    case 'cordon':
      return `${step.node}: cordoned`;
    case 'terminate':
      return `${step.group}: ${step.machine} is terminated`;
    case 'evict':
    case 'save-desired-capacity':
    case 'clear-desired-capacity':
      return undefined;
  }
}

const waitsText = ({ waits }: RollPlan): string =>
  waits
    .map(({ group, for: condition, pods = [] }) => {
      const counts = [...new Set(pods.map(({ reason }) => reason))].map(
        (reason) => `${pods.filter((pod) => pod.reason === reason).length} ${podTexts[reason]}`,
      );
      return `${group}: ${condition}${counts.length > 0 ? `: ${counts.join(', ')}` : ''}\n`;
    })
    .join('');

const podTexts = {
  jobs: 'pods of Jobs',
  bare: 'pods without a controller',
  annotated: 'pods with a do-not-evict annotation',
  budget: 'pods to evict',
  terminating: 'terminating pods',
} as const;
