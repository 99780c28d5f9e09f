import { type DiagnosisStep } from './alert';

/** A step that describes the pods of the gateway. */
export const gatewayPodsStep: DiagnosisStep = {
  check: 'whether its pods are ready, and why not',
  command: 'kubectl -n pinion-gateway describe pods',
};

/** A step that shows the log of the gateway. */
export const gatewayLogStep: DiagnosisStep = {
  check: 'its log',
  command: 'kubectl -n pinion-gateway logs -l app.kubernetes.io/name=pinion-gateway --tail=50',
};

const metricsCommand = 'kubectl get --raw /api/v1/namespaces/pinion-gateway/pods/POD:8080/proxy/metrics';

/** A step that searches the metrics of one gateway. */
export const gatewayMetricStep = (check: string, metric: string): DiagnosisStep => ({
  check,
  command: `${metricsCommand} | grep ${metric}`,
});

/** A step that attributes the requests of one gateway. */
export const gatewayClientsStep = (check: string): DiagnosisStep => ({
  check,
  command: `${metricsCommand} > metrics && pinion clients --metrics metrics --live`,
});
