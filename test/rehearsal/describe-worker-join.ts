import { waitFor } from '../control-plane/wait-for';
import { silentRuntime, startKubelet } from './start-kubelet';
import { type ReadyControlPlaneNode } from './ready-control-plane-node';
import { type Rehearsal } from './rehearsal';

/** Fields of a certificate signing request that the test checks. */
interface CertificateRequest {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly username: string; readonly groups: readonly string[]; readonly signerName: string };
  readonly status: object;
}

/** Timeout in milliseconds for steps that take seconds on an idle machine. */
const stepTimeout = 180_000;
const collection = '/apis/certificates.k8s.io/v1/certificatesigningrequests';

/** Defines the test of a joining worker. */
export function describeWorkerJoin(rehearsal: () => Rehearsal, readyNode: () => ReadyControlPlaneNode): void {
  /** Returns the request that was made with the bootstrap token; control plane nodes renew their own certificates. */
  const findRequest = async (): Promise<CertificateRequest | undefined> => {
    const { body } = await readyNode().admin.request('GET', collection);
    const { items } = body as { items: readonly CertificateRequest[] };
    return items.find(({ spec }) => spec.username.startsWith('system:bootstrap'));
  };

  test(
    "a worker's kubelet loads its configuration, uses the bootstrap token, and becomes a node once its request is approved",
    async () => {
      const { machine, init, instance } = await rehearsal().bootWorker();
      const service = init.service('pinion-worker.service');
      await waitFor('the worker to bootstrap', async () => service.hasSucceeded, { timeout: stepTimeout });
      expect(init.started).toEqual(expect.arrayContaining(['kubelet.service']));
      const runtime = await silentRuntime(machine);
      const kubelet = startKubelet(machine);
      const pending = await waitFor('a request', findRequest, { timeout: stepTimeout });
      expect(pending.spec).toMatchObject({
        username: expect.stringMatching(/^system:bootstrap:[0-9a-f]{6}$/) as unknown,
        groups: expect.arrayContaining(['system:bootstrappers:pinion']) as unknown,
        signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
      });
      // The controller manager may approve it at once.
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      expect((await findRequest())?.status).toEqual({});
      const { machine: other, address } = readyNode().node;
      const login = ['--kubeconfig', '/etc/kubernetes/admin.conf', '--server', `https://${address}:6443`];
      await other.runOrThrow('kubectl', ...login, 'certificate', 'approve', pending.metadata.name);
      const current = '/var/lib/kubelet/pki/kubelet-client-current.pem';
      await waitFor('a certificate', async () => machine.has(current), { timeout: stepTimeout });
      await kubelet.stop();
      runtime.close();
      expect(kubelet.log).toMatch(/Kubelet version/);
      expect(kubelet.log).not.toMatch(/lenient|unknown flag/);
      const whoamiArgs = ['--kubeconfig', '/etc/kubernetes/kubelet.conf', 'auth', 'whoami'];
      const username = await machine.runOrThrow(
        'kubectl',
        ...whoamiArgs,
        '--output',
        'jsonpath={.status.userInfo.username}',
      );
      expect(username).toBe(`system:node:${instance.hostName}`);
    },
    stepTimeout * 3,
  );
}
