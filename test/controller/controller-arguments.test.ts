import { controllerArguments, controllerUsage } from '../../lib/controller/controller-arguments';

describe("the controller's command line", () => {
  it('has a default for everything', () => {
    expect(controllerArguments([])).toEqual({
      host: '0.0.0.0',
      port: 8080,
      workers: 16,
      watchSilence: 150,
      qps: 100,
      burst: 200,
      leaseNamespace: 'pinion-controller',
      dryRun: false,
      leaderElection: true,
      logLevel: 'info',
    });
  });

  it('reports every invalid flag with its value and the valid values', () => {
    const parse = () => controllerArguments(['--port', 'http', '--workers', '0', '--log-level', 'loud']);
    for (const message of [/--port http: .* 0 to 65535/, /--workers 0: .* 1 to 1000/, /--log-level loud: use debug/])
      expect(parse).toThrow(message);
  });

  it('reconciles everything unless a scope is given', () => {
    expect(controllerArguments([])).not.toHaveProperty('scope');
    expect(controllerArguments(['--scope=platform']).scope).toBe('platform');
    expect(() => controllerArguments(['--scope=projects'])).toThrow('--scope projects: use workloads or platform');
  });

  it('serves profiles only if a port is given', () => {
    expect(controllerArguments([])).not.toHaveProperty('profilePort');
    expect(controllerArguments(['--profile-port=0']).profilePort).toBe(0);
    expect(() => controllerArguments(['--profile-port', 'on'])).toThrow(/--profile-port on: .* 0 to 65535/);
  });

  it('rejects an unknown flag', () => {
    expect(() => controllerArguments(['--dryrun'])).toThrow(/--dryrun/);
  });

  it('has help for every flag', () => {
    const usage = controllerUsage();
    for (const flag of ['--kubeconfig', '--dry-run', '--no-leader-election', '--qps']) expect(usage).toContain(flag);
    expect(usage).toMatch(/--port PORT +port of these endpoints.*\[8080\]/);
  });
});
