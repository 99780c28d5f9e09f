import { type FieldPath, type Problem, type ProblemCode } from '../problem';
import { type ValidationRule } from '../rules/validation-rule';

/** A form that a text must have, with the words that a problem uses for it. */
export interface Form {
  /** Regular expression that means the same in RE2 and in JavaScript; anchored. */
  readonly pattern: string;
  /** Completes "must be …". */
  readonly what: string;
  readonly maxLength?: number;
}

/** Limits of one field beyond its type. */
export interface FieldLimits {
  readonly form?: Form;
  readonly enum?: readonly string[];
  /** Length of a text in characters. */
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  /** Entries of a list. */
  readonly minItems?: number;
  readonly maxItems?: number;
  /** Entries of a map. */
  readonly maxProperties?: number;
  /** Form of a map's keys; a CRD schema cannot say it, so that it is checked by us alone. */
  readonly keyForm?: Form;
  /** Limits of a list's entries or a map's values. */
  readonly items?: FieldLimits;
  /** Unique keys of list entries that the API server's schema does not declare. */
  readonly keys?: readonly string[];
  /** True where a list's entries must differ. */
  readonly set?: boolean;
  /** The only fields of an object that the API server takes here. */
  readonly only?: readonly string[];
  /** True where the value must never be shown. */
  readonly secret?: boolean;
  /** True where only we hold the limits: a CRD schema that said them too would cost too much. */
  readonly client?: boolean;
}

/** Reports a problem; the path is relative to the checked object. */
export type IssueReporter = (
  code: ProblemCode,
  path: FieldPath,
  reason: string,
  remedy: string,
  value?: string | number | boolean,
) => void;

/** A rule that only we evaluate, because its price in CEL is too high or its path varies. */
export interface NativeCheck {
  readonly name: string;
  /** `volumes` are names of volumes that a pod gets from elsewhere than its own list. */
  readonly check: (self: Readonly<Record<string, unknown>>, report: IssueReporter, volumes: readonly string[]) => void;
}

/** What the API server demands of a native type beyond its structure. */
export interface TypeRules {
  /** Fields that must be given although the structure calls them optional. */
  readonly required?: readonly string[];
  readonly fields?: Readonly<Record<string, FieldLimits>>;
  readonly rules?: readonly ValidationRule[];
  /** How many fields are given, where that says in a CRD schema what a longer rule says elsewhere. */
  readonly count?: { readonly minProperties?: number; readonly maxProperties?: number };
  readonly checks?: readonly NativeCheck[];
  /** Names of volumes that pods within this object get from it. */
  readonly volumes?: (self: Readonly<Record<string, unknown>>) => readonly string[];
}

/** Where problems go. */
export type ProblemReporter = (problem: Problem) => void;
