import { type Figure, type Reason } from './figure';
import { plannedValues, type PlannedName, type ValueOf } from './planned-values';

/** Overrides of planned values. */
export type ValueOverrides = { readonly [Name in PlannedName]?: ValueOf<Name> | undefined };

/** Values of a plan by name, each with its derivation. */
export type Values = { readonly [Name in PlannedName]: Figure<ValueOf<Name>> };

const names = Object.keys(plannedValues) as PlannedName[];

/** Collects the values of one plan. An override replaces a value, and thereby affects the values computed from it. */
export class PlanValues {
  private readonly figures = new Map<PlannedName, Figure>();

  constructor(private readonly overrides: ValueOverrides) {}

  /** Records a value and returns the effective one: the override, or the value. */
  plan<Name extends PlannedName>(name: Name, value: ValueOf<Name>, { formula, inputs, source }: Reason): ValueOf<Name> {
    const { unit } = plannedValues[name];
    const override = this.overrides[name] as ValueOf<Name> | undefined;
    this.figures.set(
      name,
      override === undefined
        ? { value, unit, formula, inputs, source }
        : { value: override, unit, formula, inputs, source, planned: value },
    );
    return override ?? value;
  }

  /** Returns the values in catalog order. Throws if one was not recorded. */
  values(): Values {
    const values: Partial<Record<PlannedName, Figure>> = {};
    for (const name of names) {
      const figure = this.figures.get(name);
      if (!figure) throw new TypeError(`the plan has no value for ${name}`);
      values[name] = figure;
    }
    return values as Values;
  }
}
