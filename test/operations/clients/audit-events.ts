import { AuditLines, ClientAccounting, type ClientAccountingOptions, type ClientReport } from '../../../lib/operations';

/** Request of a test; the audit event has the other fields of a list of all pods by the service account shop/cart. */
export interface TestRequest {
  readonly user?: string;
  readonly groups?: readonly string[];
  /** User that sent it for `user`. */
  readonly sender?: string;
  readonly userAgent?: string;
  readonly verb?: string;
  readonly uri?: string;
  readonly resource?: string;
  /** @default - the core group */
  readonly group?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly subresource?: string;
  readonly stage?: string;
  /** Seconds after the start of the test's log. */
  readonly at?: number;
  readonly seconds?: number;
  readonly code?: number;
  readonly node?: string;
  readonly response?: object;
}

const start = Date.parse('2026-03-01T10:00:00Z');
const timestamp = (seconds: number): string => new Date(start + 1000 * seconds).toISOString();

/** Returns the audit event of a request. */
export function auditEvent(request: TestRequest): Readonly<Record<string, unknown>> {
  const { user = 'system:serviceaccount:shop:cart', groups = [], sender, userAgent = 'cart/1.0', node } = request;
  const { verb = 'list', uri = '/api/v1/pods', resource = 'pods', at = 0, seconds = 0.1, code = 200 } = request;
  const extra = node === undefined ? {} : { extra: { 'authentication.kubernetes.io/node-name': [node] } };
  const account = { username: user, groups: [...groups, 'system:authenticated'], ...extra };
  return {
    kind: 'Event',
    apiVersion: 'audit.k8s.io/v1',
    level: 'Metadata',
    auditID: '1',
    stage: request.stage ?? 'ResponseComplete',
    requestURI: uri,
    verb,
    user: sender === undefined ? account : { username: sender },
    ...(sender !== undefined && { impersonatedUser: account }),
    sourceIPs: ['10.0.0.1'],
    userAgent,
    objectRef: {
      resource,
      apiGroup: request.group,
      apiVersion: 'v1',
      namespace: request.namespace,
      name: request.name,
      subresource: request.subresource,
    },
    responseStatus: { code },
    requestReceivedTimestamp: timestamp(at),
    stageTimestamp: timestamp(at + seconds),
    ...(request.response && { responseObject: request.response }),
  };
}

/** A Project as an object of the cluster. */
export const shop = {
  kind: 'Project',
  metadata: { name: 'shop' },
  spec: { team: 'retail', onCall: '#shop-oncall', members: [{ kind: 'Group', name: 'oidc:shop', role: 'edit' }] },
};

/** Returns the report of a log of some requests. */
export function reportOf(requests: Iterable<TestRequest>, options: ClientAccountingOptions = {}): ClientReport {
  const accounting = new ClientAccounting({ projects: [shop], ...options });
  const lines = new AuditLines(accounting);
  for (const request of requests) lines.write(Buffer.from(`${JSON.stringify(auditEvent(request))}\n`));
  lines.end();
  return accounting.report();
}
