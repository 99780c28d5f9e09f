import { canaryGate } from './canary/gate';
import { canaryObjectsText } from './canary/objects';
import { canaryOptions } from './canary/canary-options';
import { canaryRun } from './canary/run';
import { UsageError } from './arguments';
import { clusterHelp } from './cluster-connection';
import { programHelp } from './program-variables';
import { verb } from './verb';

const help = `pinion canary run [options]
pinion canary gate [options]
pinion canary objects --image IMAGE [options]

Deploys a small workload of each kind through each door, looks whether the platform does its part, changes it, rolls it back
and takes it away; what does not work is told by the name of the part that is broken.

  run      a run now, by your own rights; it waits for one that is under way, and removes what a killed one left
  gate     whether the last runs are good and fresh: exit code 0, else 5 with the reasons
  objects  the objects that run it in a cluster, in the order in which they are applied; talks to no cluster

run:
  --kind KINDS      these kinds only, with commas between them
  --door DOORS      these doors only: synth, controller, submission
  --patience T      how long a step that waits may take (default: 2m)
  --name-server IP  who is asked for names, with commas between several (default: names are not checked)
  --image IMAGE     image of its containers (default: the one of the canary that is installed)
  --project NAME    project that it deploys to (default: pinion-canary-work)

gate:
  --fresh T         how old the last run may be (default: 30m)

run and gate:
  --namespace NAME  namespace of the report (default: pinion-canary)
  --json            what came of it as JSON
${clusterHelp}

objects:
  --image IMAGE     its image, with its tag or digest
  --schedule CRON   when it runs (default: every ten minutes)
${programHelp}
  -o, --output      yaml or json (one List)

The door "submission" needs what only the canary in the cluster has, and is skipped here; so is whatever is not installed.
Exit code 1 where a step failed, 5 where the gate is closed.
`;

/** `pinion canary`: the end-to-end run through every door, and the gate that changes of a cluster ask. */
export const canary = verb({
  help,
  options: canaryOptions,
  words: ['run', 'gate', 'objects'],
  async run({ words: [word, ...rest], ...given }, io) {
    if (rest.length > 0) throw new UsageError(`canary ${word ?? ''} takes options only, not ${rest[0] ?? ''}`);
    if (word === 'run') return canaryRun(given, io);
    if (word === 'gate') return canaryGate(given, io);
    if (word === 'objects') return canaryObjectsText(given, io);
    throw new UsageError(`canary needs a word: run, gate, objects${word === undefined ? '' : `, not ${word}`}`);
  },
});
