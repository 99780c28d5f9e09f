import { type Problem, type Workload } from '../api';
import { examineExpansion, type Expanded, type KubernetesObject } from '../expand';
import { examineStored } from './examine-stored';
import { errorText } from './log';
import { type PreparedPass } from './prepared-pass';

/** What a spec comes to in a world. */
export interface PassExpansion {
  readonly workload?: Workload;
  readonly objects?: readonly KubernetesObject[];
  readonly problems: readonly Problem[];
}

/** Completes and expands the workload of a pass; what is wrong with it is told, never thrown. */
export function expansionOf({ live, found }: PreparedPass): PassExpansion {
  const { completed, problems } = examineStored(live);
  if ('problems' in found) return { problems: [...problems, ...found.problems] };
  if (!completed) return { problems };
  const workload = completed as Workload;
  const expanded = setAside(() => examineExpansion(workload, found.world));
  return {
    workload,
    ...(expanded.objects && { objects: expanded.objects }),
    problems: [...problems, ...expanded.problems],
  };
}

/** An object that breaks us is set aside with a status like any other that cannot be expanded, and stops nobody else. */
function setAside(expand: () => Expanded): Expanded {
  try {
    return expand();
  } catch (error) {
    const reason = `could not be expanded: ${errorText(error)}`;
    return { problems: [{ code: 'wrong-type', path: [], reason, remedy: 'tell the people of the platform' }] };
  }
}
