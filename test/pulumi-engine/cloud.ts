/** What a resource is asked to be; `preview` changes nothing, and only then may values be unknown. */
export interface Wanted {
  readonly type: string;
  readonly name: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly preview: boolean;
}

/** What a provider answers of a resource: its id, and its inputs with what was added to them. */
export interface Made {
  readonly id: string;
  readonly outputs: Readonly<Record<string, unknown>>;
}

/** What lies behind a provider; each of its functions throws where the cloud would refuse. */
export interface Cloud {
  create(wanted: Wanted): Promise<Made>;
  /** Undefined where it is gone. */
  read(type: string, id: string, known: Readonly<Record<string, unknown>>): Promise<Made | undefined>;
  update(id: string, wanted: Wanted): Promise<Made>;
  delete(type: string, id: string, known: Readonly<Record<string, unknown>>): Promise<void>;
  /** Fields of a type that a resource keeps for its whole life. */
  fixed(type: string): readonly string[];
}

/** How the engine writes a value that is not known yet. */
export const unknownValue = '04da6b54-80e4-46f7-96ec-b56ff0331ba9';
