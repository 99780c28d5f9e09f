import { type ServerResponse } from 'node:http';
import { type AwsMachines } from '../../lib/cloud';
import { sendJson, sendStatus, type SeenRequest } from '../kube/scripted-server';

/**
 * The API server endpoints that a roll of empty nodes needs: each machine in service is a ready node, nodes can be
 * patched, and one lease is stored. A fake, because commands are also tested where no API server is available.
 */
export class FakeRollApi {
  lease: unknown;
  /** Project of the canary. */
  canary = 'pinion-canary';
  /** Canary report to serve; none if undefined. */
  report: string | undefined;
  /** Record of the roll, as it was last applied. */
  record: { readonly data: Readonly<Record<string, string>> } | undefined;
  private readonly patches = new Map<string, { readonly metadata: object; readonly spec: object }>();
  private version = 1;

  constructor(private readonly machines: AwsMachines) {}

  async handle({ method, url, body }: SeenRequest, response: ServerResponse): Promise<void> {
    if (url === '/version') sendJson(response, 200, { gitVersion: 'v1.36.3' });
    else if (url.includes('/leases')) this.handleLease(method, body, response);
    else if (url.endsWith(`/${this.canary}/configmaps/canary-report`)) this.handleReport(response);
    else if (method === 'PATCH' && url.includes('/kube-system/configmaps/pinion-roll')) {
      this.record = JSON.parse(body) as FakeRollApi['record'];
      sendJson(response, 200, { ...this.record, metadata: { name: 'pinion-roll' } });
    } else if (url.includes('/configmaps/')) sendStatus(response, 404, 'NotFound');
    else if (method === 'PATCH') {
      const name = /nodes\/([^/?]+)/.exec(url)?.[1] ?? '';
      this.patches.set(name, JSON.parse(body) as { metadata: object; spec: object });
      sendJson(response, 200, { metadata: { name } });
    } else sendJson(response, 200, { metadata: {}, items: url.startsWith('/api/v1/nodes') ? await this.nodes() : [] });
  }

  private handleReport(response: ServerResponse): void {
    const metadata = { name: 'canary-report', uid: 'report', resourceVersion: '1' };
    if (this.report === undefined) sendStatus(response, 404, 'NotFound');
    else sendJson(response, 200, { metadata, data: { 'report.json': this.report } });
  }

  private handleLease(method: string, body: string, response: ServerResponse): void {
    if (method === 'GET' && this.lease === undefined) sendStatus(response, 404, 'NotFound');
    else {
      if (method !== 'GET') {
        const sent = JSON.parse(body) as { readonly metadata: object };
        this.version += 1;
        this.lease = { ...sent, metadata: { ...sent.metadata, uid: 'lease', resourceVersion: String(this.version) } };
      }
      sendJson(response, method === 'POST' ? 201 : 200, this.lease);
    }
  }

  private async nodes(): Promise<object[]> {
    const groups = await this.machines.groups();
    return groups
      .flatMap((group) => group.machines)
      .map(({ id, zone }) => {
        const patch = this.patches.get(`node-${id}`);
        return {
          metadata: { name: `node-${id}`, uid: id, resourceVersion: '1', ...patch?.metadata },
          spec: { providerID: `aws:///${zone}/${id}`, ...patch?.spec },
          status: { nodeInfo: { kubeletVersion: 'v1.35.4' }, conditions: [{ type: 'Ready', status: 'True' }] },
        };
      });
  }
}
