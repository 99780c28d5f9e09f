import { waitFor } from '../control-plane/wait-for';
import { silentRuntime, startKubelet } from './kubelet-trial';
import { type MadeMaster } from './made-control-plane-node';
import { type Rehearsal } from './rehearsal';

/** A request for a certificate, as far as it is looked at. */
interface CertificateRequest {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly username: string; readonly groups: readonly string[]; readonly signerName: string };
  readonly status: object;
}

/** Milliseconds for what takes some seconds where nothing else is done. */
const patience = 180_000;
const collection = '/apis/certificates.k8s.io/v1/certificatesigningrequests';

/** Defines the test of a machine for pods that joins. */
export function workerJoins(rehearsal: () => Rehearsal, given: () => MadeMaster): void {
  /** The request of a machine that has only the token; masters have certificates of their own, which they renew. */
  const request = async (): Promise<CertificateRequest | undefined> => {
    const { body } = await given().admin.request('GET', collection);
    const { items } = body as { items: readonly CertificateRequest[] };
    return items.find(({ spec }) => spec.username.startsWith('system:bootstrap'));
  };

  test(
    "a worker's kubelet takes its configuration, shows the token, and is a node once somebody has approved it",
    async () => {
      const { machine, init, instance } = await rehearsal().bootWorker();
      const service = init.service('pinion-worker.service');
      await waitFor('the worker to be made', async () => service.hasSucceeded, { timeout: patience });
      expect(init.started).toEqual(expect.arrayContaining(['kubelet.service']));
      const runtime = await silentRuntime(machine);
      const kubelet = startKubelet(machine);
      const asked = await waitFor('a request', request, { timeout: patience });
      expect(asked.spec).toMatchObject({
        username: expect.stringMatching(/^system:bootstrap:[0-9a-f]{6}$/) as unknown,
        groups: expect.arrayContaining(['system:bootstrappers:pinion']) as unknown,
        signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
      });
      // The controller manager approves at once where it may.
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      expect((await request())?.status).toEqual({});
      const { machine: other, address } = given().master;
      const login = ['--kubeconfig', '/etc/kubernetes/admin.conf', '--server', `https://${address}:6443`];
      await other.demand('kubectl', ...login, 'certificate', 'approve', asked.metadata.name);
      const current = '/var/lib/kubelet/pki/kubelet-client-current.pem';
      await waitFor('a certificate', async () => machine.has(current), { timeout: patience });
      await kubelet.stop();
      runtime.close();
      expect(kubelet.said).toMatch(/Kubelet version/);
      expect(kubelet.said).not.toMatch(/lenient|unknown flag/);
      const own = ['--kubeconfig', '/etc/kubernetes/kubelet.conf', 'auth', 'whoami'];
      const who = await machine.demand('kubectl', ...own, '--output', 'jsonpath={.status.userInfo.username}');
      expect(who).toBe(`system:node:${instance.hostName}`);
    },
    patience * 3,
  );
}
