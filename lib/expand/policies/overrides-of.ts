import { type FieldPath, type Workload } from '../../api';
import { type TemplateOverrides } from '../pods/template-overrides';

/** What some pods of a workload override of its template, and the path of the entry. */
export interface LocatedOverrides {
  readonly overrides: TemplateOverrides;
  readonly path: FieldPath;
}

/** Lists the entries of a workload that override its template. */
export const overridesOf = ({ spec }: Workload): readonly LocatedOverrides[] =>
  (['overrides', 'variants'] as const).flatMap((field) => {
    const entries = (spec as { readonly [field: string]: unknown })[field] as readonly TemplateOverrides[] | undefined;
    return (entries ?? []).map((overrides, index) => ({ overrides, path: ['spec', field, index] }));
  });
