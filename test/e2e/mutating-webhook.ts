import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expectStatus } from '../control-plane/api-response';
import { type Cluster } from '../control-plane/cluster';

interface Reviewed {
  readonly kind: string;
  readonly metadata: { readonly annotations?: object };
  readonly spec: { readonly template?: { readonly metadata?: { readonly annotations?: object } } };
}

interface Review {
  readonly request: { readonly uid: string; readonly object: Reviewed };
}

/** Annotation that the webhook sets. */
export const injectedAnnotation = 'webhook.example.com/injected';

/** Webhook that changes the pods and the Deployments of workloads, as injectors of a service mesh do. */
export class MutatingWebhook {
  /** Number of objects that it has changed, by kind. */
  readonly changed = new Map<string, number>();

  private constructor(private readonly server: Server) {}

  /** Starts it, and registers it for objects of workloads; the API server then rejects what it does not answer. */
  static async start({ folder, client }: Cluster): Promise<MutatingWebhook> {
    // The certificate of the API server is for loopback too.
    const pem = (name: string): Buffer => readFileSync(join(folder, 'pki', `apiserver.${name}`));
    const server = createServer({ cert: pem('crt'), key: pem('key') });
    const webhook = new MutatingWebhook(server);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const review = JSON.parse(Buffer.concat(chunks).toString()) as Review;
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(webhook.answer(review)));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const path = '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations';
    const configuration = configurationOf(`https://127.0.0.1:${port}/`, pem('crt').toString('base64'));
    expectStatus(await client.request('POST', path, configuration), [201]);
    return webhook;
  }

  /** Stops it; the API server then rejects the objects of workloads. */
  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private answer({ request: { uid, object } }: Review): object {
    this.changed.set(object.kind, (this.changed.get(object.kind) ?? 0) + 1);
    const isPod = object.kind === 'Pod';
    const { annotations = {} } = (isPod ? object.metadata : object.spec.template?.metadata) ?? {};
    const path = isPod ? '/metadata/annotations' : '/spec/template/metadata/annotations';
    const patch = [{ op: 'add', path, value: { ...annotations, [injectedAnnotation]: object.kind } }];
    return {
      apiVersion: 'admission.k8s.io/v1',
      kind: 'AdmissionReview',
      response: {
        ...{ uid, allowed: true, patchType: 'JSONPatch' },
        patch: Buffer.from(JSON.stringify(patch)).toString('base64'),
      },
    };
  }
}

const configurationOf = (url: string, caBundle: string): object => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'MutatingWebhookConfiguration',
  metadata: { name: 'injector' },
  webhooks: [
    {
      name: 'injector.example.com',
      ...{ admissionReviewVersions: ['v1'], sideEffects: 'None', failurePolicy: 'Fail', timeoutSeconds: 30 },
      clientConfig: { url, caBundle },
      objectSelector: { matchExpressions: [{ key: 'pinterest.com/workload', operator: 'Exists' }] },
      rules: [
        { apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], operations: ['CREATE'] },
        { apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments'], operations: ['CREATE', 'UPDATE'] },
      ],
    },
  ],
});
