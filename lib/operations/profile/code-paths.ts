import { type CodePath, path } from './code-path';
import { controllerPaths } from './controller-paths';
import { type ProfileSample } from './pprof';

const list = /endpoints\/handlers\.(ListResource|getResourceHandler|GetResource)/;
const encoding =
  /(serializer\/\w+\.\(\*\w+\)\.(Encode|doEncode|encode)|\.(Marshal|MarshalTo|MarshalToSizedBuffer|MarshalJSON)$|responsewriters\.SerializeObject|json\.\(\*encodeState\))/;

/**
 * Code paths of the Kubernetes programs (1.35, 1.36) by package and function names. The first match applies: activities
 * come before their callers.
 */
const kubernetesPaths: readonly CodePath[] = [
  path('garbage collection', /^runtime\.(gcBgMarkWorker|gcAssistAlloc|gcDrain|gcStart|gcMark\w*|bgsweep|bgscavenge)/),
  path('encoding lists', list, encoding),
  path(
    'transforming list responses',
    /endpoints\/handlers\.(transformResponseObject|doTransformObject|asTable|asPartialObjectMetadata)/,
  ),
  path(
    'encoding watch events',
    /endpoints\/handlers\.(\(\*(WatchServer|watchEncoder|watchEmbeddedEncoder|watchListTransformer)\)|serveWatch)/,
  ),
  path('encoding for etcd', /storage\/etcd3\.\(\*store\)\.(Create|GuaranteedUpdate|updateState)/, encoding),
  path('encryption at rest', /storage\/value\/encrypt/),
  path('decoding from etcd', /storage\/etcd3\..*(decode|Decode|appendListItem|getState|transform|parseEvent)/),
  path('watch cache', /storage\/cacher[./]/),
  path('reading and writing etcd', /storage\/etcd3[./]|go\.etcd\.io\/etcd\/client|google\.golang\.org\/grpc/),
  path('managed fields', /structured-merge-diff|managedfields/),
  path('admission webhooks', /admission\/plugin\/webhook/),
  path('admission policies (CEL)', /admission\/plugin\/policy|cel-go|apiserver\/pkg\/cel/),
  path('admission', /apiserver\/pkg\/admission|plugin\/pkg\/admission/),
  path('audit', /apiserver\/pkg\/audit|apiserver\/plugin\/pkg\/audit/),
  path('authorization', /authorization\/|auth\/authorizer|WithAuthorization\b.*rbac/),
  path('authentication', /apiserver\/(pkg|plugin\/pkg)\/authentication|serviceaccount\.\(\*jwt/),
  path('OpenAPI', /kube-openapi|openapi/),
  path('custom resources', /apiextensions-apiserver/),
  path('scheduling pods', /k8s\.io\/kubernetes\/pkg\/scheduler/),
  path('controllers', /k8s\.io\/kubernetes\/pkg\/controller/),
  path('informers', /client-go\/tools\/cache/),
  path('decoding requests', /serializer\/\w+\.\(\*\w+\)\.Decode|\.Unmarshal(JSON)?$/),
  path('encoding responses', encoding),
  path('metrics', /prometheus|component-base\/metrics/),
  path('logging', /k8s\.io\/klog|go\.uber\.org\/zap/),
  path('TLS', /^crypto\//),
  path('HTTP', /golang\.org\/x\/net\/http2|^net\/http\./),
  path('collecting profiles', /runtime\/pprof|net\/http\/pprof/),
  path('package initialization', /^runtime\.(doInit|main)/),
  path('goroutine scheduling', /^runtime\.(mcall|park_m|schedule|findRunnable|mstart|morestack|sysmon|gopreempt_m)/),
];

/** The controller's patterns match no Go function, so the lists can be combined. */
const codePaths: readonly CodePath[] = [...controllerPaths, ...kubernetesPaths];

/** Value of a profile on a code path. */
export interface CodePathSum {
  readonly description: string;
  readonly value: number;
}

/** Name for samples without a code path. */
export const otherPaths = 'other';

/** Returns the code paths of samples, largest first; each sample counts once, so that the sums add up to the total. */
export function codePathsOf(samples: readonly ProfileSample[], value: number): readonly CodePathSum[] {
  const sums = new Map<string, number>();
  const known = new Map<string, readonly boolean[]>();
  for (const { stack, values } of samples) {
    const description = codePathOf(stack, known);
    sums.set(description, (sums.get(description) ?? 0) + (values[value] ?? 0));
  }
  return [...sums]
    .map(([description, sum]) => ({ description, value: sum }))
    .filter((sum) => sum.value !== 0)
    .sort((a, b) => b.value - a.value || (a.description < b.description ? -1 : 1));
}

const allPatterns = [...new Set(codePaths.flatMap(({ patterns }) => patterns))];

function codePathOf(stack: readonly string[], known: Map<string, readonly boolean[]>): string {
  const matched = new Set<RegExp>();
  for (const name of stack) {
    let matches = known.get(name);
    if (!matches) {
      matches = allPatterns.map((pattern) => pattern.test(name));
      known.set(name, matches);
    }
    matches.forEach((isMatch, index) => isMatch && matched.add(allPatterns[index] as RegExp));
  }
  return codePaths.find(({ patterns }) => patterns.every((pattern) => matched.has(pattern)))?.description ?? otherPaths;
}
