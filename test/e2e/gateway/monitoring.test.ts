import { ruleFile } from '../../../lib/observability';
import { describeControlPlane } from '../../control-plane/suite';
import { waitFor } from '../../control-plane/wait-for';
import { type Certified, TestAuthority } from '../../kube/certificates';
import { gatewayAccount, GatewayProcess } from '../../local/gateway-process';
import { platformWithGateway } from '../../local/gateway-platform';
import { installPinion } from '../../local/install-pinion';
import { PrometheusServer, whyNoPrometheus } from '../../quota/prometheus-server';
import { accelerateRules, waitUntilAlertFires } from '../accelerated-rules';
import { missingMetrics } from '../metrics-catalog';
import { allowReads, gatewayToken, read } from './test-gateway';

const authority = new TestAuthority();
const documents = platformWithGateway(authority);
const minute = 60_000;
const day = 86_400_000;
const job = 'pinion-gateway';
const agent = { 'user-agent': 'reader/1.0' };
const skipReason = whyNoPrometheus();
const testIfAvailable = skipReason === undefined ? test : test.skip;

const certify = (of: TestAuthority, days: number): Certified =>
  of.certify('gateway', ['127.0.0.1'], new Date(Date.now() + days * day));

describeControlPlane(
  `the monitoring of the gateway${skipReason ? ` (skipped: ${skipReason})` : ''}`,
  (controlPlane) => {
    let gateway: GatewayProcess;
    let prometheus: PrometheusServer | undefined;

    beforeAll(async () => {
      await installPinion(controlPlane(), documents);
      const { namespace, name } = gatewayAccount;
      const token = await controlPlane().serviceAccountToken(namespace, name);
      const { folder } = controlPlane();
      const kubeconfig = controlPlane().kubeconfigFor({ token });
      gateway = GatewayProcess.start({ kubeconfig, folder, documents, certified: certify(authority, 300) });
      await gateway.port();
    }, 3 * minute);
    afterAll(async () => {
      await prometheus?.stop();
      await gateway.stop();
    }, minute);

    const firing = async (server: PrometheusServer): Promise<readonly string[]> =>
      (await server.alerts()).filter(({ state }) => state === 'firing').map(({ labels }) => labels['alertname'] ?? '');

    testIfAvailable(
      'every metric of a rule or panel is scraped with the labels used, and alerts fire for the certificate and the end',
      async () => {
        const statusPort = Number((await gateway.waitUntilLogged('serving status'))['statusPort']);
        const server = (prometheus = await PrometheusServer.scraping(
          [{ job, url: `http://127.0.0.1:${statusPort}` }],
          accelerateRules(ruleFile(), {}),
        ));
        const url = `https://127.0.0.1:${await gateway.port()}/api/v1`;
        const [token, other] = [
          await gatewayToken(controlPlane(), 'reader'),
          await gatewayToken(controlPlane(), 'without-role'),
        ];
        await allowReads(controlPlane(), 'reader', ['get', 'list', 'watch']);
        const get = async (path: string, as = token): Promise<number> =>
          (await read(`${url}${path}`, authority.certificate, as, agent)).status;
        await waitFor('the role to act', async () => (await get('/pods?resourceVersion=0')) === 200);
        const watch = read(
          `${url}/pods?watch=true&resourceVersion=0&timeoutSeconds=120`,
          authority.certificate,
          token,
          agent,
        );
        watch.catch(() => undefined);
        expect(await get('/pods')).toBe(200);
        expect(await get('/pods?resourceVersion=0', other)).toBe(403);
        // Twice the default rate of an account is admitted at once.
        const burst = await Promise.all(Array.from({ length: 400 }, () => get('/pods?resourceVersion=0')));
        expect(burst).toContain(429);
        let missing: string[] = [];
        await waitFor(
          'everything to be scraped',
          async () => (missing = await missingMetrics(server, 'pinion-gateway', job, '1.36')).length === 0,
          { timeout: minute, interval: 1000 },
        ).catch(() => undefined);
        expect(missing).toEqual([]);
        const fired = await firing(server);
        expect(fired).not.toContain('PinionGatewayDown');
        expect(fired.filter((name) => name.startsWith('PinionGatewayCertificate'))).toEqual([]);
        // One of the two that the Platform states.
        await waitUntilAlertFires(server, 'PinionGatewayReplicasLow');

        gateway.replaceCertificate(certify(new TestAuthority('another'), 2));
        await waitUntilAlertFires(server, 'PinionGatewayCertificateUntrusted');
        await waitUntilAlertFires(server, 'PinionGatewayCertificateExpiring');

        expect(await gateway.stop()).toBe(0);
        await waitUntilAlertFires(server, 'PinionGatewayDown');
      },
      5 * minute,
    );
  },
);
