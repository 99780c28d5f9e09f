import { h, type VNode } from '../dom/vnode';

/** Properties of a labeled select element. */
export interface SelectFieldProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly text: string }[];
  readonly onSelect: (value: string) => void;
  /** Whether the field is disabled. @default false */
  readonly disabled?: boolean;
}

/** Returns a labeled select element; a value without an option gets one, so the selected value is always visible. */
export function selectField({ id, label, value, options, onSelect, disabled = false }: SelectFieldProps): VNode {
  const hasOption = options.some((option) => option.value === value);
  const all = hasOption ? options : [...options, { value, text: value }];
  return h(
    'div',
    { class: 'field', key: id },
    h('label', { for: id }, label),
    h(
      'select',
      { id, value, disabled, on: { input: onSelect } },
      all.map((option) => h('option', { key: option.value, value: option.value }, option.text)),
    ),
  );
}
