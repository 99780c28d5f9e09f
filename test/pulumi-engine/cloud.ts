/** Fields of a resource by their names at the provider. */
export type Values = Readonly<Record<string, unknown>>;

/** What a resource is asked to be; `preview` changes nothing, and only then may values be unknown. */
export interface Wanted {
  readonly type: string;
  readonly name: string;
  readonly inputs: Values;
  readonly preview: boolean;
}

/** What a provider answers of a resource: its id, and its inputs with what was added to them. */
export interface Made {
  readonly id: string;
  readonly outputs: Values;
}

/** What a resource was before it is changed. */
export interface Before {
  readonly inputs: Values;
  readonly outputs: Values;
}

/** An input that a provider does not take. */
export interface Refusal {
  readonly property: string;
  readonly reason: string;
}

/** What lies behind a provider; each of its functions throws where the cloud would refuse. */
export interface Cloud {
  /** Looks at what the provider itself is given. @default - anything goes */
  configure?(config: Values): Promise<void>;
  /** Inputs that a type does not take, before anything is made. @default - none */
  refusals?(wanted: Omit<Wanted, 'preview'>): readonly Refusal[];
  create(wanted: Wanted): Promise<Made>;
  /** Undefined where it is gone. */
  read(type: string, id: string, known: Values): Promise<Made | undefined>;
  update(id: string, wanted: Wanted, before: Before): Promise<Made>;
  delete(type: string, id: string, known: Values): Promise<void>;
  /** Fields of a type that a resource keeps for its whole life. */
  fixed(type: string): readonly string[];
  /** Answers a question that makes nothing, by its token. @default - none is answered */
  invoke?(token: string, inputs: Values): Promise<Values>;
}

/** How the engine writes a value that is not known yet. */
export const unknownValue = '04da6b54-80e4-46f7-96ec-b56ff0331ba9';
