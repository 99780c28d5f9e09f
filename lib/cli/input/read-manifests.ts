import { type OptionSpecs, type OptionValues } from '../command/command-spec';
import { keyValuesType } from '../command/option-value-type';
import { type Io } from '../io/io';
import { readInputs, type InputDocuments } from './input-documents';
import { platformOption } from './input-options';
import { inStage, readStage } from './stage-inputs';
import { resolveTargetCluster, type TargetCluster } from './target-cluster';

const propertiesType = keyValuesType({
  valueName: 'PROPERTY=VALUE,...',
  expected: 'PROPERTY=VALUE,PROPERTY=VALUE with properties of the workflow',
  key: /^[A-Za-z][A-Za-z0-9_.-]*$/,
  value: /^/,
  // Values may be lists: a comma starts another property only if a name and an equals sign follow.
  separator: /,(?=[A-Za-z][A-Za-z0-9_.-]*=)/,
});

/** Options for a stage of workflows that are not published. */
export const stageOptions = {
  stage: {
    type: 'string',
    valueName: 'STAGE',
    description: 'stage of the workflows in the inputs, resolved as publishing does; other manifests are skipped',
  },
  set: {
    type: 'parsed',
    valueType: propertiesType,
    requires: 'stage',
    description: 'values of properties that are set when publishing, separated by commas',
  },
} as const satisfies OptionSpecs;

/** Options of commands that read manifests of a cluster, or of a stage. */
export const manifestOptions = { platform: platformOption, ...stageOptions } as const satisfies OptionSpecs;

/** Manifests with the cluster that they are checked for. */
export interface ReadManifests {
  readonly inputs: InputDocuments;
  readonly known: TargetCluster;
  /** One line each: fields that are set when publishing, and what is skipped. Empty without a stage. */
  readonly notes: readonly string[];
}

/** Options of `readManifests`. */
export type ReadOptions = OptionValues<typeof manifestOptions> & {
  /** Keys of manifests beside the inputs that are not used. @default - none */
  readonly exceptBeside?: ReadonlySet<string>;
};

/** Reads the inputs of a command. Throws a `UsageError` if they have no workflow with the stage. */
export async function readManifests(
  args: readonly string[],
  { platform, stage, set = {}, exceptBeside }: ReadOptions,
  io: Io,
): Promise<ReadManifests> {
  const given = await readInputs(args, io);
  const target = { looksBeside: true, exceptBeside };
  if (stage === undefined)
    return { inputs: given, known: await resolveTargetCluster(given, platform, io, target), notes: [] };
  const read = await readStage(given, stage, io);
  const known = await resolveTargetCluster(read.inputs, platform, io, target);
  const cluster = known.cluster && inStage(known.cluster, stage);
  const { inputs, notes } = read.resolve(known.cluster, set);
  return { inputs, known: { ...known, cluster }, notes };
}
