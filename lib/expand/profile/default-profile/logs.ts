import { identityVariables } from './environment';
import { appKinds, hardened, type PartInput } from './part-input';

const folder = '/var/log/pinion';
const port = 19101;

const pipeline = `service:
  flush: 1
  grace: 5
  log_level: \${LOG_LEVEL}
  parsers_file: /etc/pinion/logs/parsers.conf
  http_server: on
  http_listen: 0.0.0.0
  http_port: ${port}
  health_check: on
pipeline:
  inputs:
    - name: tail
      tag: app
      path: ${folder}/*.log,${folder}/*/*.log
      path_key: file
      parser: \${LOG_FORMAT}
      db: /var/lib/pinion/logs/position.db
      read_from_head: true
      refresh_interval: 5
      buffer_max_size: 256k
      skip_long_lines: on
      mem_buf_limit: 16MB
  filters:
    - name: record_modifier
      match: '*'
      record:
        - project \${PINION_PROJECT}
        - workload \${PINION_WORKLOAD}
        - pod \${PINION_POD}
  outputs:
    - name: stdout
      match: '*'
      format: json_lines
`;

const parsers = `[PARSER]
    Name json
    Format json

[PARSER]
    Name text
    Format regex
    Regex ^(?<message>.*)$
`;

/** Part that copies the app's log files to the pod's output, one JSON object per line, with the name of their source. */
export const logs: PartInput = {
  name: 'logs',
  summary:
    "Pod: copies log files below /var/log/pinion to the pod's output with the name of their source, where the node's shipper reads it; it lives in the pod because the files do, and flushes within 5 s of SIGTERM.",
  injection: 'Required',
  kinds: [...appKinds],
  after: ['configuration'],
  settings: {
    level: {
      values: ['error', 'warn', 'info', 'debug', 'trace'],
      default: 'warn',
      env: 'LOG_LEVEL',
      summary: 'Log level.',
    },
    format: {
      values: ['json', 'text'],
      default: 'text',
      env: 'LOG_FORMAT',
      summary: 'Format of a line: a JSON object, or text.',
    },
  },
  pod: {
    files: { '/etc/pinion/logs/fluent-bit.yaml': pipeline, '/etc/pinion/logs/parsers.conf': parsers },
    sidecars: [
      hardened(
        {
          name: 'pinion-logs',
          image: 'docker.io/fluent/fluent-bit:4.2.3',
          command: ['/fluent-bit/bin/fluent-bit', '-c', '/etc/pinion/logs/fluent-bit.yaml'],
          env: identityVariables,
          ports: [{ name: 'pinion-logs', containerPort: port }],
          volumeMounts: [
            { name: 'pinion-logs', mountPath: folder, readOnly: true },
            { name: 'pinion-logs-state', mountPath: '/var/lib/pinion/logs' },
          ],
          startupProbe: { httpGet: { path: '/', port }, periodSeconds: 1, failureThreshold: 60 },
          livenessProbe: { httpGet: { path: '/', port }, periodSeconds: 15, timeoutSeconds: 5, failureThreshold: 6 },
        },
        { cpu: 20, memory: 48, memoryLimit: 128 },
      ),
    ],
    volumes: [
      { name: 'pinion-logs', emptyDir: { sizeLimit: '2Gi' } },
      { name: 'pinion-logs-state', emptyDir: { sizeLimit: '16Mi' } },
    ],
    volumeMounts: [{ name: 'pinion-logs', mountPath: folder }],
    env: [{ name: 'PINION_LOGS', value: folder }],
  },
};
