// CI of an app team: installs the packed library into a copy of this folder, compiles, runs `cdk8s synth` and a snapshot test, then moves to the next runtime profile and shows what changes.
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expectThat, run } from './steps.mjs';

/** The lines of a diff that are not equal. */
const changes = (diff, added = /^\s*[+-]\s(?!.*(Snapshot|Received)\s+[+-])/) =>
  diff.split('\n').filter((line) => added.test(line));

/** Tests a copy of `here` in the folder `work`. */
export function testProfileUpdate(here, work, library) {
  const npx = (args, options) => run('npx', ['--no-install', ...args], { cwd: work, ...options });
  cpSync(here, work, {
    recursive: true,
    filter: (path) => !/^(node_modules|dist|.*\.mjs)$/.test(basename(path)),
  });
  cpSync(library, join(work, 'pinion.tgz'));
  run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: work });
  const definitions = npx(['pinion', 'crds']);
  expectThat('the command prints the definitions', definitions.includes('name: pinterestservices.pinterest.com'));
  expectThat('cdk8s-plus-27 is optional', !readdirSync(join(work, 'node_modules')).includes('cdk8s-plus-27'));

  npx(['tsc', '--noEmit']);
  npx(['cdk8s', 'synth', '--check-upgrade=false']);
  const before = readFileSync(join(work, 'dist', 'shop.k8s.yaml'), 'utf8');
  expectThat(
    'a service and a cron job are synthesized',
    /^kind: Deployment$/m.test(before) && /^kind: CronJob$/m.test(before),
  );
  expectThat('the Platform of the repository is used', before.includes('cart.shop.apps.example.com'));

  npx(['jest', '--ci=false']);
  npx(['jest', '--ci']);

  const platform = join(work, 'pinion.platform.yaml');
  const next = readFileSync(platform, 'utf8')
    .replaceAll('company-1', 'company-2')
    .replace('1.0.0', '1.1.0')
    .replace('fluent-bit:4.2.3', 'fluent-bit:4.2.4');
  writeFileSync(platform, next);
  writeFileSync(join(work, 'before.yaml'), before);
  npx(['cdk8s', 'synth', '--check-upgrade=false']);
  const yamlDiff = run('diff', ['-U0', 'before.yaml', join('dist', 'shop.k8s.yaml')], { cwd: work, fails: true });
  const snapshotDiff = npx(['jest', '--ci'], { fails: true });
  console.log(yamlDiff);
  const lines = changes(yamlDiff, /^[+-](?![+-])/);
  expectThat(
    'each changed line names the profile or the image',
    lines.every((line) => /company-|fluent-bit/.test(line)),
    yamlDiff,
  );
  expectThat('two pods change in few lines', lines.length > 0 && lines.length <= 16, yamlDiff);
  const snapshotLines = changes(snapshotDiff);
  expectThat('the snapshot shows the same lines', snapshotLines.length === lines.length, snapshotDiff);
  npx(['jest', '--ci=false', '-u']);
}
