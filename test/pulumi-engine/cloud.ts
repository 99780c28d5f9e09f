/** Properties of a resource by the provider's names. */
export type Values = Readonly<Record<string, unknown>>;

/** Desired state of a resource. A `preview` changes nothing; only in a preview values may be unknown. */
export interface DesiredResource {
  readonly type: string;
  readonly name: string;
  readonly inputs: Values;
  readonly preview: boolean;
}

/** A provider's response for a resource: its ID, and its inputs with computed outputs. */
export interface CreatedResource {
  readonly id: string;
  readonly outputs: Values;
}

/** The state of a resource before an update. */
export interface PreviousState {
  readonly inputs: Values;
  readonly outputs: Values;
}

/** An input that a provider rejects. */
export interface InvalidInput {
  readonly property: string;
  readonly reason: string;
}

/** The cloud behind a provider; each function throws if the cloud would respond with an error. */
export interface Cloud {
  /** Validates the configuration of the provider itself. @default - accepts any */
  configure?(config: Values): Promise<void>;
  /** Lists invalid inputs of a type, before anything is created. @default - none */
  invalidInputs?(desired: Omit<DesiredResource, 'preview'>): readonly InvalidInput[];
  create(desired: DesiredResource): Promise<CreatedResource>;
  /** Reads a resource; undefined if it does not exist. */
  read(type: string, id: string, known: Values): Promise<CreatedResource | undefined>;
  update(id: string, desired: DesiredResource, before: PreviousState): Promise<CreatedResource>;
  delete(type: string, id: string, known: Values): Promise<void>;
  /** Properties of a type whose change replaces the resource. */
  fixed(type: string): readonly string[];
  /** Invokes a function, which creates nothing, by its token. @default - none exists */
  invoke?(token: string, inputs: Values): Promise<Values>;
}

/** The engine's encoding of an unknown value. */
export const unknownValue = '04da6b54-80e4-46f7-96ec-b56ff0331ba9';
