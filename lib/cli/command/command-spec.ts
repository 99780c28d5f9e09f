import { type ExitCodeName } from './exit-codes';
import { type OptionValueType } from './option-value-type';

interface BaseOption {
  /** Noun for a value, imperative for a flag; lower case, without a final period. */
  readonly description: string;
  /** One letter. */
  readonly short?: string;
  /** Placeholder of the value in help. @default - derived from the type */
  readonly valueName?: string;
  /** Environment variable that is read when the option is not set. */
  readonly environment?: string;
  /** Default that the command computes itself, as help shows it. */
  readonly defaultText?: string;
  /** Another option without which this one has no effect: `output`, or `output=json` for one value of it. */
  readonly requires?: string;
  /** Other options that cannot be combined with this one, as in `requires`. */
  readonly conflictsWith?: readonly string[];
}

interface FlagOption extends BaseOption {
  readonly type: 'flag';
}

interface ValueOption extends BaseOption {
  readonly required?: boolean;
  /** Flag without which it is required. */
  readonly requiredUnless?: string;
}

interface StringOption extends ValueOption {
  readonly type: 'string';
  readonly default?: string;
}

interface IntegerOption extends ValueOption {
  readonly type: 'integer';
  readonly min: number;
  readonly max: number;
  readonly default?: number;
}

/** A duration such as `15m`; its parsed value is in milliseconds. */
interface DurationOption extends ValueOption {
  readonly type: 'duration';
  readonly min?: string;
  readonly max?: string;
  readonly default?: string;
}

interface ChoiceOption extends ValueOption {
  readonly type: 'choice';
  readonly choices: readonly string[];
  readonly default?: string;
}

/** A value of another type. */
interface ParsedOption extends ValueOption {
  readonly type: 'parsed';
  readonly valueType: OptionValueType<unknown>;
  readonly default?: string;
}

/** A comma-separated list; the option can also be repeated. */
interface ListOption extends ValueOption {
  readonly type: 'list';
  /** Allowed items. @default - any */
  readonly choices?: readonly string[];
  /** Type of its items; its placeholder is not shown. @default - any text */
  readonly items?: OptionValueType<string>;
}

/** One option of a command. */
export type OptionSpec =
  FlagOption | StringOption | IntegerOption | DurationOption | ChoiceOption | ParsedOption | ListOption;

/** Options of a command, by name without dashes. */
export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

/** One positional argument of a command. */
export interface ArgumentSpec {
  readonly valueName: string;
  readonly description: string;
  readonly required?: boolean;
  /** Usage, if the options decide how many there are. @default - that of its name */
  readonly usage?: string;
  /** Whether it takes all remaining arguments; only for the last argument. */
  readonly repeatable?: boolean;
  /** Allowed values. @default - any */
  readonly choices?: readonly string[];
  /** Values that shell completion offers; other values are allowed too. */
  readonly suggestions?: readonly string[];
}

/** Positional arguments of a command, in their order. */
export type ArgumentSpecs = Readonly<Record<string, ArgumentSpec>>;

/** An example of a command line. */
export interface CommandExample {
  readonly command: string;
  readonly description?: string;
}

/** The description that parsing, help, completion and docs/cli.md of a command are derived from. */
export interface CommandSpec<A extends ArgumentSpecs = ArgumentSpecs, O extends OptionSpecs = OptionSpecs> {
  /** Paragraphs below the summary, separated by empty lines. */
  readonly description?: string;
  readonly arguments?: A;
  readonly options?: O;
  readonly examples?: readonly CommandExample[];
  /** Meanings of exit codes that differ from the defaults. */
  readonly exitCodes?: Partial<Readonly<Record<ExitCodeName, string>>>;
}

type ChoiceValue<S> = S extends { readonly choices: readonly (infer C)[] } ? C : string;

type OptionValue<O> = O extends { readonly type: 'flag' }
  ? boolean
  : O extends { readonly type: 'integer' | 'duration' }
    ? number
    : O extends { readonly type: 'parsed'; readonly valueType: OptionValueType<infer V> }
      ? V
      : O extends { readonly type: 'list' }
        ? readonly ChoiceValue<O>[]
        : ChoiceValue<O>;

type DefinedOption<O> = {
  [K in keyof O]: O[K] extends { readonly type: 'flag' } | { readonly required: true } | { readonly default: unknown }
    ? K
    : never;
}[keyof O];

/** Values of options by name. Flags, required options and options with a default always have one. */
export type OptionValues<O> = { readonly [K in DefinedOption<O>]: OptionValue<O[K]> } & {
  readonly [K in Exclude<keyof O, DefinedOption<O>>]?: OptionValue<O[K]>;
};

type DefinedArgument<A> = {
  [K in keyof A]: A[K] extends { readonly required: true } | { readonly repeatable: true } ? K : never;
}[keyof A];

type ArgumentValue<S> = S extends { readonly repeatable: true } ? readonly ChoiceValue<S>[] : ChoiceValue<S>;

/** Values of positional arguments by key. */
export type ArgumentValues<A> = { readonly [K in DefinedArgument<A>]: ArgumentValue<A[K]> } & {
  readonly [K in Exclude<keyof A, DefinedArgument<A>>]?: ArgumentValue<A[K]>;
};
