import { confined, type PartInput } from './part-input';

const port = 19182;

const pipeline = `service:
  flush: 1
  grace: 5
  log_level: warn
  http_server: on
  http_listen: 127.0.0.1
  http_port: ${port}
  health_check: on
  storage.path: /var/lib/pinion/node-logs/chunks
  storage.max_chunks_up: 64
pipeline:
  inputs:
    - name: tail
      path: /var/log/containers/*.log
      exclude_path: /var/log/containers/*_\${PINION_PROJECT}_shipper-*.log
      multiline.parser: cri
      tag: pod.<namespace>.<pod>.<container>
      tag_regex: (?<pod>[^_/]+)_(?<namespace>[^_]+)_(?<container>.+)-[a-z0-9]{64}\\.log$
      db: /var/lib/pinion/node-logs/position.db
      refresh_interval: 5
      rotate_wait: 10
      buffer_max_size: 256k
      skip_long_lines: on
      storage.type: filesystem
  filters:
    - name: record_modifier
      match: '*'
      record:
        - node \${PINION_NODE}
  outputs:
    - name: forward
      match: '*'
      host: \${LOGS_HOST}
      port: 24224
      require_ack_response: on
      storage.total_limit_size: 2G
      retry_limit: no_limits
`;

/** Part that ships the output of all pods of a node from files, without the API server. */
export const nodeLogs: PartInput = {
  name: 'node-logs',
  summary:
    'Node: ships the output of pods to the log store by the forward protocol, with a buffer of 2 GB on disk; it lives on the node because the files do, and one shipper serves all pods.',
  injection: 'Required',
  needsValues: ['logsHost'],
  valueEnv: { LOGS_HOST: 'logsHost' },
  node: {
    daemon: {
      critical: true,
      update: { maxUnavailable: '5%' },
      host: {
        paths: [
          { name: 'logs', path: '/var/log', mountPath: '/var/log', type: 'Directory' },
          {
            name: 'state',
            path: '/var/lib/pinion/node-logs',
            mountPath: '/var/lib/pinion/node-logs',
            readOnly: false,
            type: 'DirectoryOrCreate',
          },
        ],
      },
      config: { files: { '/etc/pinion/node-logs/fluent-bit.yaml': pipeline } },
      template: {
        spec: {
          containers: [
            {
              name: 'shipper',
              image: 'docker.io/fluent/fluent-bit:4.2.3',
              command: ['/fluent-bit/bin/fluent-bit', '-c', '/etc/pinion/node-logs/fluent-bit.yaml'],
              resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '512Mi' } },
              // The kubelet's log files belong to root.
              securityContext: confined(0),
            },
          ],
        },
      },
    },
  },
};
