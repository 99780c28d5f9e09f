import * as forms from './forms';
import { type FieldLimits, type TypeRules } from './overlay';
import { clientOnly, exactlyOne } from './rule-forms';

const portNumber: FieldLimits = { minimum: 1, maximum: 65535 };
const port: FieldLimits = { ...portNumber, form: forms.portName };
const seconds: FieldLimits = { minimum: 0 };

/** Rules for probes, lifecycle hooks and their handlers. */
export const probeRules: Readonly<Record<string, TypeRules>> = {
  Probe: {
    fields: {
      initialDelaySeconds: seconds,
      timeoutSeconds: seconds,
      periodSeconds: seconds,
      successThreshold: seconds,
      failureThreshold: seconds,
      terminationGracePeriodSeconds: { minimum: 1 },
    },
    rules: [exactlyOne('one-probe-handler', ['exec', 'httpGet', 'tcpSocket', 'grpc'])],
  },
  Lifecycle: { fields: { stopSignal: { client: true } } },
  LifecycleHandler: {
    count: { minProperties: 1, maxProperties: 1 },
    rules: [clientOnly(exactlyOne('one-lifecycle-handler', ['exec', 'httpGet', 'tcpSocket', 'sleep']))],
  },
  ExecAction: { required: ['command'], fields: { command: { minItems: 1 } } },
  HTTPGetAction: { fields: { port } },
  HTTPHeader: { fields: { name: { form: forms.headerName }, value: { secret: true } } },
  TCPSocketAction: { fields: { port } },
  GRPCAction: { fields: { port: portNumber } },
  SleepAction: { fields: { seconds } },
};
