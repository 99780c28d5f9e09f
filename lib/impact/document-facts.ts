import { isDeepStrictEqual } from 'node:util';
import { isRunKind, type Workload } from '../api';
import { parseDocument } from './expand-document';
import { type ImpactDocument } from './impact-side';

/** Parses both sides, once if they are equal. */
export function parseBoth(
  before: ImpactDocument | undefined,
  after: ImpactDocument | undefined,
): [Workload | string | undefined, Workload | string | undefined] {
  const from = before && parseDocument(before);
  if (before && after && isSameDocument(before, after)) return [from, from];
  return [from, after && parseDocument(after)];
}

const isSameDocument = (one: ImpactDocument, other: ImpactDocument): boolean =>
  one === other ||
  (isDeepStrictEqual(one.metadata.labels, other.metadata.labels) &&
    isDeepStrictEqual(one.metadata.annotations, other.metadata.annotations) &&
    (one.spec === other.spec || isDeepStrictEqual(one.spec, other.spec)));

/** Returns why the objects of a workload in a cluster may not be those of its spec; undefined if they are. */
export function unsettledReason({ metadata: { generation }, status }: ImpactDocument): string | undefined {
  if (generation === undefined) return undefined;
  if (status?.['observedGeneration'] === generation) return undefined;
  return 'the controller has not reported the last change of its spec yet';
}

/** Returns the runtime profile that the status of a workload records. */
export const recordedProfile = (document: ImpactDocument | undefined): string | undefined => {
  const profile = document?.status?.['runtimeProfile'];
  return typeof profile === 'string' ? profile : undefined;
};

/** Returns whether a run may be in progress; without a status it is not known, and none is assumed to have ended. */
export function isRunning(document: ImpactDocument | undefined, { kind }: Workload): boolean {
  if (!isRunKind(kind)) return false;
  const phase = document?.status?.['phase'];
  return phase !== 'Succeeded' && phase !== 'Failed';
}

/** Returns a spec without its numbers of replicas, which do not count as a deployment. */
export function unscaled({ spec }: Workload): unknown {
  const {
    replicas: _,
    variants,
    ...rest
  } = spec as {
    readonly replicas?: unknown;
    readonly variants?: readonly { readonly replicas?: unknown }[];
  };
  return { ...rest, variants: variants?.map(({ replicas: __, ...variant }) => variant) };
}
