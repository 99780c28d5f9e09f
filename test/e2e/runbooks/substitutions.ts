/** Values of the words in capitals, and paths of the test cluster. */
export interface RunbookValues {
  readonly project: string;
  /** Name of the workload, of its cron job and of its autoscaler. */
  readonly workload: string;
  readonly pod: string;
  readonly gatewayPod: string;
  /** Port on which the metrics of pods are served. */
  readonly metricsPort: number;
  readonly auditLog: string;
  readonly etcd: { readonly urls: string; readonly ca: string; readonly cert: string; readonly key: string };
}

type Substitution = readonly [RegExp, string];

const substitutions = (values: RunbookValues): readonly Substitution[] => [
  [/\/var\/log\/kubernetes\/apiserver\/audit\.log/, values.auditLog],
  [/\/var\/log\/kubernetes\/apiserver\b/, values.auditLog],
  [/(?<=pinion-gateway\/pods\/)POD:8080/, `${values.gatewayPod}:${values.metricsPort}`],
  [/POD:19106/, `${values.pod}:${values.metricsPort}`],
  [/\bPOD\b/, values.pod],
  [/KIND NAME -n PROJECT/, 'psvc WORKLOAD -n PROJECT'],
  [/KIND NAME -o/, 'validatingadmissionpolicy in-use.pinterest.com -o'],
  [/get apiservice NAME/, 'get apiservice v1.apps'],
  [/delete apiservice NAME/, 'delete apiservice v1.runbook.example.com'],
  [/delete validatingwebhookconfiguration NAME/, 'delete validatingwebhookconfiguration runbook'],
  [/cronjob\/WORKLOAD NAME/, 'cronjob/WORKLOAD again'],
  [/GROUP\/VERSION\/RESOURCE/, 'apps/v1/deployments'],
  [/serviceaccount:PROJECT:ACCOUNT/, 'serviceaccount:PROJECT:default'],
  [/\bPROJECT\b/, values.project],
  [/\bPROJECTS\b/, 'projects.yaml'],
  [/\bWORKLOAD\b/, values.workload],
  [/--endpoints URLS/, `--endpoints ${values.etcd.urls}`],
  [
    /--cacert FILE --cert FILE --key FILE/,
    `--cacert ${values.etcd.ca} --cert ${values.etcd.cert} --key ${values.etcd.key}`,
  ],
  [/forecast FILE HISTORY/, 'forecast load.yaml history.yaml'],
  [/capacity plan FILE/, 'capacity plan load.yaml'],
  [/etcd analyze FILE/, 'etcd analyze now.db'],
  [/EARLIER\.db LATER\.db/, 'now.db now.db'],
  [/\bSIZE\b/, '8Gi'],
  [/review OLD NEW/, 'review projects.yaml projects.yaml'],
  [/\bLOCATION\b/, 'artifacts'],
  // A part of the objects, because a comparison of all definitions takes much CPU time.
  [
    /IMAGE FILE\.\.\./,
    `IMAGE --gateway-image IMAGE platform.yaml -o json | jq '.items |= map(select(.kind == "ValidatingAdmissionPolicyBinding"))'`,
  ],
  [/install --image IMAGE$/, 'install --image IMAGE --gateway-image IMAGE platform.yaml'],
  [/\bIMAGE\b/, 'registry.example.com/pinion/controller:1.0.0'],
  [/\bTEXT\b/, 'test'],
  // The tests apply objects as this manager, and operators as kubectl.
  [/kubectl diff --server-side/, 'kubectl diff --server-side --field-manager=pinion-e2e'],
  // Shorter than the default, and without a terminal.
  [/apiserver --cpu/, 'apiserver --cpu --seconds 1'],
  [/^(pinion etcd (?:compact|defrag|recover)|pinion rollout (?:abort|rollback|emergency).*)/, '$1 --yes'],
];

/** Returns a command with the words in capitals replaced. */
export function substituted(command: string, values: RunbookValues): string {
  let result = command;
  for (const [pattern, value] of substitutions(values)) result = result.replace(new RegExp(pattern, 'g'), value);
  return result;
}

/** Returns the words in capitals that are left, but not those of shell variables, resources and ConfigMaps. */
export const leftWords = (command: string): readonly string[] =>
  [...command.matchAll(/(?<![\w./"'$-])[A-Z]{3,}(?![\w.])/g)].map(([word]) => word);
