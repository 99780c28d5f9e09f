import { clientMonitorArguments, clientMonitorUsage } from '../../../lib/operations/clients/client-monitor-arguments';

test('receives events from the machine itself, and serves metrics to others', () => {
  expect(clientMonitorArguments([])).toEqual({
    events: { host: '127.0.0.1', port: 9442 },
    status: { host: '0.0.0.0', port: 9443 },
    logLevel: 'info',
  });
  const own = ['--events=[::1]:0', '--status=10.0.0.7:80', '--gateway=g', '--kubeconfig=k', '--log-level=debug'];
  expect(clientMonitorArguments(own)).toEqual({
    events: { host: '::1', port: 0 },
    status: { host: '10.0.0.7', port: 80 },
    gateway: 'g',
    kubeconfig: 'k',
    logLevel: 'debug',
  });
});

test('names every invalid flag', () => {
  const parse = () => clientMonitorArguments(['--events=9442', '--status=0.0.0.0:70000', '--log-level=loud']);
  expect(parse).toThrow(/--log-level loud: [^]*--events 9442: [^]*--status 0\.0\.0\.0:70000: /);
});

test('its usage names each flag with its default', () => {
  expect(clientMonitorUsage()).toMatch(/--events[^]*127\.0\.0\.1:9442[^]*--status[^]*0\.0\.0\.0:9443/);
});
