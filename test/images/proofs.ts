import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ContainerOptions } from './container-host';
import { root } from './dockerfile';

interface Start extends Pick<ContainerOptions, 'environment' | 'files'> {
  /** Behavior that is proven, as the end of a sentence about the image. */
  readonly what: string;
  /** Arguments after the entry point of the image. */
  readonly args?: readonly string[];
}

/** Proof of a server: it answers these addresses, and exits with 0 on SIGTERM. */
interface ServingProof extends Start {
  /** Expected parts of the body by address; the time until the first address answers is the cold start. */
  readonly answers: Readonly<Record<string, string | RegExp>>;
}

/** Proof of a program that exits: its exit code and expected parts of its output. */
interface EndingProof extends Start {
  readonly code: number;
  readonly prints: readonly (string | RegExp)[];
}

/** Proof that an image starts its program. */
export type ImageProof = ServingProof | EndingProof;

const { node: pinnedNode } = JSON.parse(readFileSync(join(root, 'scripts/images/base-lock.json'), 'utf8')) as {
  readonly node: { readonly version: string };
};

/** Kubeconfig of an API server that does not exist, which programs report. */
const kubeconfig = JSON.stringify({
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [{ name: 'none', cluster: { server: 'https://127.0.0.1:1' } }],
  users: [{ name: 'none', user: { token: 'none' } }],
  contexts: [{ name: 'none', context: { cluster: 'none', user: 'none' } }],
  'current-context': 'none',
});

/** Environment that the platform sets in every app container. */
const appEnvironment = {
  PINION_PROJECT: 'shop',
  PINION_WORKLOAD: 'cart',
  PINION_KIND: 'PinterestService',
  PINION_CLUSTER: 'test-1',
  PINION_POD: 'cart-0',
  PINION_POD_UID: '0a1b2c3d',
  PINION_POD_ADDRESS: '127.0.0.1',
};

const nodeMetric = `nodejs_version_info{version="v${pinnedNode.version}"`;

/** Script that prints the guarantees of the base image as one line of JSON. */
const guarantees = `
  const { existsSync, writeFileSync } = require('node:fs');
  const attempt = (action) => { try { return action(); } catch (error) { return error.code; } };
  require('node:dns').promises.lookup('localhost').then(({ address }) => console.log(JSON.stringify({
    version: process.version,
    user: [process.getuid(), process.getgid(), require('node:os').userInfo().username].join(' '),
    write: attempt(() => writeFileSync('/pinion/file', '')),
    shell: ['/bin/sh', '/bin/bash', '/bin/busybox'].some(existsSync),
    authorities: require('node:tls').getCACertificates('system').length > 100,
    localhost: ['127.0.0.1', '::1'].includes(address),
    zone: new Date(Date.UTC(2026, 0, 1)).toLocaleTimeString('en-US', { timeZone: 'America/Los_Angeles' }),
    production: process.env.NODE_ENV,
    licenses: require('node:fs').readdirSync('/pinion/licenses').length,
  })));`;

/** Proofs by target; `runtime` is the base of all programs. */
export const imageProofs: Readonly<Record<string, readonly ImageProof[]>> = {
  runtime: [
    { what: 'runs Node', args: ['node', '-e', '0'], code: 0, prints: [/^$/] },
    {
      what: 'meets the guarantees of the base image',
      args: ['node', '-e', guarantees],
      code: 0,
      prints: [
        JSON.stringify({
          version: `v${pinnedNode.version}`,
          user: '65532 65532 nonroot',
          write: 'EROFS',
          shell: false,
          authorities: true,
          localhost: true,
          zone: '4:00:00 PM',
          production: 'production',
          licenses: 3,
        }),
      ],
    },
  ],
  controller: [
    {
      what: 'is alive while there is no API server',
      args: ['--kubeconfig', '/etc/pinion/kubeconfig', '--port', '8080'],
      files: { kubeconfig },
      answers: { 'http://127.0.0.1:8080/livez': 'ok', 'http://127.0.0.1:8080/metrics': nodeMetric },
    },
  ],
  gateway: [
    {
      what: 'is alive while there is no API server',
      args: ['--kubeconfig', '/etc/pinion/kubeconfig', '--plain', '--resource', 'pods.v1', '--shutdown-delay', '0'],
      files: { kubeconfig },
      answers: {
        'http://127.0.0.1:8080/livez': 'ok',
        'http://127.0.0.1:8080/metrics': nodeMetric,
      },
    },
    { what: 'names the flags that it lacks', code: 2, prints: ['--tls-certificate and --tls-key'] },
  ],
  'client-monitor': [
    {
      what: 'receives events while there is no API server',
      args: ['--kubeconfig', '/etc/pinion/kubeconfig', '--status', '127.0.0.1:9443'],
      files: { kubeconfig },
      answers: {
        'http://127.0.0.1:9442/healthz': 'ok',
        'http://127.0.0.1:9443/metrics': 'pinion_client_unreadable_total 0',
      },
    },
    { what: 'names a flag with an address that is none', args: ['--events', 'x'], code: 2, prints: ['--events x'] },
  ],
  'node-lifecycle': [
    { what: 'names its programs', code: 2, prints: ['drain-consumer', 'node-approver'] },
    {
      what: 'lists the missing settings of the node approver',
      args: ['node-approver'],
      code: 2,
      prints: ['AWS_REGION', 'CLUSTER'],
    },
    {
      what: 'lists the missing settings of the drain consumer',
      args: ['drain-consumer'],
      code: 2,
      prints: ['AWS_REGION', 'QUEUE'],
    },
  ],
  registrar: [
    {
      what: 'is alive while there is no ZooKeeper',
      environment: { ...appEnvironment, ZOOKEEPER: '127.0.0.1:1', SERVICE_PORT: '8080', STATUS_PORT: '8090' },
      answers: { 'http://127.0.0.1:8090/live': 'ok' },
    },
  ],
  quota: [
    {
      what: 'fails without an API server',
      environment: { PINION_PROJECT: 'pinion-quota', KUBECONFIG: '/etc/pinion/kubeconfig' },
      files: { kubeconfig },
      code: 1,
      prints: ['ECONNREFUSED'],
    },
  ],
  canary: [
    {
      what: 'serves on the port of the platform',
      args: ['serve'],
      environment: appEnvironment,
      answers: { 'http://127.0.0.1:8080/': 'ok' },
    },
    { what: 'lists the missing settings of a run', args: ['run'], code: 2, prints: ['PINION_PROJECT'] },
  ],
  submission: [
    {
      // A store in S3 makes it load the S3 client.
      what: 'serves its page while there is no API server',
      environment: {
        PINION_PROJECT: 'pinion-submission',
        KUBECONFIG: '/etc/pinion/kubeconfig',
        AWS_REGION: 'us-east-1',
      },
      files: {
        kubeconfig,
        'submission.json': JSON.stringify({
          artifactStore: 's3://example-artifacts/store',
          clusters: [{ name: 'test-1' }],
          identity: { issuers: [{ issuer: 'https://login.example.com', audience: 'pinion' }] },
        }),
      },
      answers: {
        'http://127.0.0.1:8081/livez': 'ok',
        'http://127.0.0.1:8081/metrics': 'rest_client_requests_total',
        'http://127.0.0.1:8080/': '<!doctype html>',
      },
    },
  ],
  'topic-controller': [
    {
      what: 'is alive while there is no API server',
      environment: { KUBECONFIG: '/etc/pinion/kubeconfig', POD_NAMESPACE: 'topic-controller', HOST: '127.0.0.1' },
      files: { kubeconfig },
      answers: {
        'http://127.0.0.1:8080/livez': 'ok',
        'http://127.0.0.1:8080/metrics': 'controller_runtime_max_concurrent_reconciles',
      },
    },
  ],
};
