import { type FieldPath, type Problem, type ProblemCode } from '../problem';
import { type ValidationRule } from '../rules/validation-rule';

/** Format of a string, with its description for problems. */
export interface Form {
  /** Anchored regular expression that means the same in RE2 and in JavaScript. */
  readonly pattern: string;
  /** Completes "must be …". */
  readonly what: string;
  readonly maxLength?: number;
}

/** Limits of one field beyond its type. */
export interface FieldLimits {
  readonly form?: Form;
  readonly enum?: readonly string[];
  /** Length of a string in characters. */
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  /** Number of list entries. */
  readonly minItems?: number;
  readonly maxItems?: number;
  /** Number of map entries. */
  readonly maxProperties?: number;
  /** Form of a map's keys; CRD schemas cannot express it, so only clients check it. */
  readonly keyForm?: Form;
  /** Limits of a list's entries or a map's values. */
  readonly items?: FieldLimits;
  /** Unique keys of list entries that the API server's schema does not declare. */
  readonly keys?: readonly string[];
  /** Whether list entries must be distinct. */
  readonly set?: boolean;
  /** The only fields of an object that the API server accepts here. */
  readonly only?: readonly string[];
  /** Whether the value must never be shown. */
  readonly secret?: boolean;
  /** Whether only clients check the limits: they would make a CRD schema too expensive. */
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

/** Rule that only clients evaluate, because it is too expensive in CEL or its path varies. */
export interface NativeCheck {
  readonly name: string;
  /** `volumes` are the names of volumes that a pod gets from outside its own list. */
  readonly check: (self: Readonly<Record<string, unknown>>, report: IssueReporter, volumes: readonly string[]) => void;
}

/** Requirements of the API server on a native type beyond its structure. */
export interface TypeRules {
  /** Required fields that the structure declares as optional. */
  readonly required?: readonly string[];
  readonly fields?: Readonly<Record<string, FieldLimits>>;
  readonly rules?: readonly ValidationRule[];
  /** Number of fields to set, if it replaces a longer rule in CRD schemas. */
  readonly count?: { readonly minProperties?: number; readonly maxProperties?: number };
  readonly checks?: readonly NativeCheck[];
  /** Returns the names of volumes that the object adds to its pods. */
  readonly volumes?: (self: Readonly<Record<string, unknown>>) => readonly string[];
}

/** Receives problems. */
export type ProblemReporter = (problem: Problem) => void;
