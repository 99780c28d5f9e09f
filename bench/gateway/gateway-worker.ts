/** A gateway that caches pods; gets its settings as a message, and answers with its port. */
import { startGateway } from '../../lib/gateway';
import { loadKubeConfig } from '../../lib/kube';
import { realClock } from '../../test/kube/real-clock';
import { unlimited } from '../../test/e2e/gateway/test-gateway';
import { type GatewayProcessSettings } from './gateway-process';

process.once('message', (message) => {
  const { kubeconfig, audience, certificate, key } = message as GatewayProcessSettings;
  void startGateway({
    apiServer: loadKubeConfig({ file: kubeconfig, environment: {} }),
    clock: realClock,
    userAgent: 'pinion-gateway',
    audience,
    resources: [{ group: '', version: 'v1', plural: 'pods' }],
    tls: { certificate, key },
    port: 0,
    budgets: unlimited,
    onError: (error) => void process.stderr.write(`gateway: ${error}\n`),
  }).then(({ port }) => process.send?.(port));
});
