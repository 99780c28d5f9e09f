import { hostname } from 'node:os';
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

test('stores a history only with its namespace, under the name of the API server', () => {
  expect(clientMonitorArguments(['--history=pinion-quota', '--server=cp-1.example.com']).history).toEqual({
    namespace: 'pinion-quota',
    server: 'cp-1.example.com',
  });
  expect(clientMonitorArguments(['--history=pinion-quota']).history?.server).toBe(hostname());
  expect(clientMonitorArguments(['--server=cp-1']).history).toBeUndefined();
  const gateways = '--gateway-metrics=pinion-gateway/gateway:8080';
  expect(clientMonitorArguments(['--history=pinion-quota', gateways]).history?.gateways).toEqual({
    ...{ namespace: 'pinion-gateway', name: 'gateway', port: 8080 },
  });
  expect(() => clientMonitorArguments([gateways])).toThrow(/--gateway-metrics [^]* needs --history/);
});

test('names every invalid flag', () => {
  const addresses = ['--events=9442', '--status=0.0.0.0:70000'];
  const parse = () =>
    clientMonitorArguments([
      ...addresses,
      '--log-level=loud',
      '--history=Quota',
      '--server=gateway/1',
      '--gateway-metrics=http://x',
    ]);
  expect(parse).toThrow(
    /--history Quota: [^]*--server gateway\/1: [^]*--gateway-metrics http:\/\/x: [^]*--log-level loud: [^]*--events 9442: [^]*--status 0\.0\.0\.0:70000: /,
  );
});

test('its usage names each flag with its default', () => {
  expect(clientMonitorUsage()).toMatch(/--events[^]*127\.0\.0\.1:9442[^]*--status[^]*0\.0\.0\.0:9443/);
});
