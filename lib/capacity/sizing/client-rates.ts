import { type Load } from '../load/load';
import { type PlanValues } from '../plan/plan-values';

/** Request rates of control plane clients. */
export interface ClientRates {
  readonly controllerManagerQps: number;
  readonly schedulerQps: number;
}

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

/** Plans the request rates of controller manager, scheduler and kubelets. */
export function clientRates(load: Load, figures: PlanValues): ClientRates {
  const { nodes, podsPerSecond } = load;
  const source = 'defaults 20/30 and 50/100; kops #18070 at 5,000 nodes: 500/500 and 100/100; GCE 100/100';
  const controllerManagerQps = figures.plan('controllerManagerQps', Math.round(clamp(nodes / 10, 20, 500)), {
    formula: 'a tenth of the nodes, between 20 and 500',
    inputs: { nodes },
    source,
  });
  figures.plan('controllerManagerBurst', Math.max(30, controllerManagerQps), {
    formula: 'equal to its rate, at least 30',
    inputs: { controllerManagerQps },
    source,
  });
  const schedulerQps = figures.plan(
    'schedulerQps',
    Math.ceil(clamp(Math.max(2 * podsPerSecond, nodes / 50), 50, 500)),
    {
      formula: 'twice the pods created per second, at least a fiftieth of the nodes, between 50 and 500',
      inputs: { podsPerSecond, nodes },
      source: `${source}; each pod needs one binding request, so this limits pods scheduled per second`,
    },
  );
  figures.plan('schedulerBurst', Math.max(100, schedulerQps), {
    formula: 'equal to its rate, at least 100',
    inputs: { schedulerQps },
    source,
  });
  planKubeletRates(figures);
  return { controllerManagerQps, schedulerQps };
}

function planKubeletRates(figures: PlanValues): void {
  const reason = {
    formula: 'the default: API Priority and Fairness limits all kubelets together',
    inputs: {},
    source: 'pkg/kubelet/apis/config/v1beta1/defaults.go',
  };
  figures.plan('kubeletQps', 50, reason);
  figures.plan('kubeletBurst', 100, reason);
  figures.plan('kubeletEventQps', 50, reason);
  figures.plan('kubeletEventBurst', 100, reason);
}
