import { runCanaryGate } from './gate';
import { printCanaryManifests } from './manifests';
import { canaryOptions } from './canary-options';
import { runCanaryCommand } from './run';
import { UsageError } from '../../command/arguments';
import { clusterHelp } from '../../cluster/cluster-connection';
import { programHelp } from '../../input/program-variables';
import { defineCommand } from '../../command/command';

const help = `pinion canary run [options]
pinion canary gate [options]
pinion canary manifests --image IMAGE [options]

Deploys a small workload of each kind through each deployment path, verifies it, changes it, rolls it back and deletes
it; a failure names the broken part of the platform.

  run      runs the canary now with your permissions; waits for a running canary and cleans up after a killed one
  gate     whether the last runs are good and fresh: exit code 0, else 5 with the reasons
  manifests  the manifests that run it in a cluster, in the order in which they are applied; talks to no cluster

run:
  --kind KINDS      these kinds only, with commas between them
  --deployment-path PATHS  only these deployment paths: synth, controller, submission
  --timeout T      how long a step that waits may take (default: 2m)
  --name-server IP  who is asked for names, with commas between several (default: names are not checked)
  --image IMAGE     image of its containers (default: the one of the canary that is installed)
  --project NAME    project that it deploys to (default: pinion-canary-work)

gate:
  --fresh T         how old the last run may be (default: 30m)

run and gate:
  --namespace NAME  namespace of the report (default: pinion-canary)
  --json            what came of it as JSON
${clusterHelp}

manifests:
  --image IMAGE     its image, with its tag or digest
  --schedule CRON   when it runs (default: every ten minutes)
${programHelp}
  -o, --output      yaml or json (one List)

The deployment path "submission" needs credentials of the canary in the cluster and is skipped here, as is anything that is
not installed.
Exit code 1 where a step failed, 5 where the gate is closed.
`;

/** `pinion canary`: runs every kind through every deployment path, and evaluates the gate for cluster changes. */
export const canaryCommand = defineCommand({
  help,
  options: canaryOptions,
  subcommands: ['run', 'gate', 'manifests'],
  async run({ positionals: [word, ...rest], ...given }, io) {
    if (rest.length > 0) throw new UsageError(`canary ${word ?? ''} takes options only, not ${rest[0] ?? ''}`);
    if (word === 'run') return runCanaryCommand(given, io);
    if (word === 'gate') return runCanaryGate(given, io);
    if (word === 'manifests') return printCanaryManifests(given, io);
    throw new UsageError(`canary needs a word: run, gate, manifests${word === undefined ? '' : `, not ${word}`}`);
  },
});
