import { type FieldPath, type PatchableKind, type Workload } from '../../api';
import { type PlatformContext } from '../project-context';
import { namedFields, type Patch } from './named-fields';
import { parsePointer } from './parse-pointer';

/** Fields of objects of one kind that patches of some workloads may change in addition. */
export interface PatchException {
  readonly project: string;
  /** Name of the workload. Defaults to all of the project. */
  readonly workload?: string | undefined;
  readonly kind: PatchableKind;
  /** Fields; `*` matches any key or index. */
  readonly fields: readonly FieldPath[];
}

/** Lists the exceptions of a cluster: those of its Platform, and the fields that node-level parts of its profile patch. */
export function patchExceptions(cluster: Pick<PlatformContext, 'platform' | 'profile'>): PatchException[] {
  const { patchExceptions: exceptions, runtime } = cluster.platform.spec;
  return [
    ...exceptions.map((exception) => ({ ...exception, fields: exception.fields.map(parsePointer) })),
    ...cluster.profile.spec.parts.flatMap(({ name, node }) =>
      patchesOf(node?.daemon).map((patch) => ({
        project: runtime.project,
        workload: name,
        kind: patch.kind,
        fields: namedFields(patch).map(({ field }) => withoutIndex(field)),
      })),
    ),
  ];
}

const patchesOf = (daemon: unknown): readonly Patch[] => (daemon as Workload['spec'] | undefined)?.patches ?? [];

/** Returns the list if a path is that of an entry: to add one changes the indexes of others. */
const withoutIndex = (field: FieldPath): FieldPath =>
  /^(-|[0-9]+)$/.test(String(field.at(-1))) ? field.slice(0, -1) : field;
