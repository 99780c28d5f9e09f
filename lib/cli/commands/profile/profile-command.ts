import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { flameHtml, flameSvg, speedscope, type FlameSubject } from '../../../etcd';
import {
  fetchProfile,
  frameUnitOf,
  InvalidProfile,
  type Profile,
  profileFrames,
  readProfile,
  sumProfile,
  ProfileUnavailable,
  valueIndex,
} from '../../../operations';
import { UsageError } from '../../command/usage-error';
import { withConnection } from '../../cluster/cluster-connection';
import { exitCodes } from '../../command/exit-codes';
import { UnavailableError, reasonOf, type Io } from '../../io/io';
import { profileText } from './profile-text';
import { type ProfiledProgram, type ProfileOptions, profileOptions, profiledPrograms, targetOf } from './target';
import { defineCommand } from '../../command/command';
import { refuseToOverwriteInputs } from '../../output/refuse-to-overwrite-inputs';
import { writeFileAtomically } from '../../output/whole-file';

/** `pinion profile`. */
export const profileCommand = defineCommand({
  description: `Show where a control plane component, or pinion's controller, spends CPU time or memory: first as a summary, then by function.

The API server is profiled directly, the controller manager and the scheduler through its proxy to their pods. The proxy works only if they listen on the address of the node and accept its requests; with kubeadm they do not, so use --url on a control plane node. The leading replica of pinion's controller is profiled through the API server, if it was installed with --profiles-from.`,
  arguments: {
    program: {
      valueName: 'PROGRAM',
      choices: profiledPrograms,
      description: `program to profile: ${profiledPrograms.join(', ')}; required unless --file is set`,
    },
  },
  options: profileOptions,
  examples: [{ command: 'pinion profile apiserver --cpu --html profile.html' }],
  async run({ args, options }, io) {
    const { file, diff, save, html, svg, speedscope: scope } = options;
    refuseToOverwriteInputs([file, diff], { save, html, svg, speedscope: scope }, io);
    const { bytes, title } = await bytesOf(args.program, options, io);
    if (save !== undefined) saveProfile(save, bytes, io);
    const profile = read(title, bytes);
    const earlier = diff === undefined ? undefined : read(diff, fileBytes(diff, io));
    const index = indexOf(profile, options);
    if (earlier && indexOf(earlier, options) !== index)
      throw new UsageError(`--diff: ${diff} is a different kind of profile`);
    const sums = sumProfile(profile, index);
    const before = earlier && sumProfile(earlier, index);
    const isJson = options.output === 'json';
    await io.write(
      isJson
        ? `${JSON.stringify({ ...sums, ...(before && { before }) }, null, 2)}\n`
        : profileText(title, sums, options.top, before),
    );
    writeFlameGraphs(options, io, profile, index, title, earlier);
    return exitCodes.success;
  },
});

async function bytesOf(
  program: ProfiledProgram | undefined,
  options: ProfileOptions,
  io: Io,
): Promise<{ bytes: Uint8Array; title: string }> {
  const { file, heap, cpu, seconds, namespace } = options;
  if (file !== undefined) {
    if (program !== undefined) throw new UsageError('PROGRAM cannot be combined with --file');
    return { bytes: fileBytes(file, io), title: file };
  }
  if (program === undefined) throw new UsageError(`profile requires PROGRAM: ${profiledPrograms.join(', ')}`);
  if (namespace !== undefined && program !== 'controller')
    throw new UsageError('--namespace requires PROGRAM controller');
  if (!heap && !cpu) throw new UsageError('profile requires --heap or --cpu');
  const endpoint = heap ? 'heap' : `profile?seconds=${seconds}`;
  return withConnection(options, io, async (connection) => {
    const { settings, prefix, permission, absent } = await targetOf(program, options, connection, io);
    const timeout = (seconds + 30) * 1000;
    if (cpu && io.terminal.err) io.writeError(`profiling ${program} for ${seconds} s\n`);
    try {
      const now = connection.clock.now();
      const bytes = await fetchProfile(settings, {
        path: `${prefix}/debug/pprof/${endpoint}`,
        timeout,
        now,
        permission,
        notFoundHint: absent,
      });
      return { bytes, title: `${program}, ${heap ? 'heap' : `cpu for ${seconds} s`}` };
    } catch (error) {
      if (error instanceof ProfileUnavailable) throw new UnavailableError(error.message);
      throw error;
    }
  });
}

function read(name: string, bytes: Uint8Array): Profile {
  try {
    return readProfile(bytes);
  } catch (error) {
    if (error instanceof InvalidProfile) throw new UnavailableError(`${name}: ${error.message}`);
    throw error;
  }
}

function indexOf(profile: Profile, { value }: ProfileOptions): number {
  const index = valueIndex(profile, value);
  if (index !== undefined) return index;
  throw new UsageError(
    `--value must be one of ${profile.values.map(({ type }) => type).join(', ')}, not ${value ?? profile.defaultType}`,
  );
}

function fileBytes(file: string, io: Io): Uint8Array {
  try {
    return readFileSync(resolve(io.cwd, file));
  } catch (error) {
    throw new UnavailableError(`${file} ${reasonOf(error)}`);
  }
}

function saveProfile(file: string, bytes: Uint8Array, io: Io): void {
  try {
    writeFileSync(resolve(io.cwd, file), bytes);
  } catch (error) {
    throw new UnavailableError(`${file} ${reasonOf(error)}`);
  }
}

function writeFlameGraphs(
  { html, svg, speedscope: scope }: ProfileOptions,
  io: Io,
  profile: Profile,
  index: number,
  title: string,
  earlier?: Profile,
): void {
  if (html === undefined && svg === undefined && scope === undefined) return;
  const root = profileFrames(profile, index, earlier);
  const value = profile.values[index] ?? { type: '', unit: '' };
  const subject: FlameSubject = {
    unit: frameUnitOf(value),
    hasHistory: false,
    label: 'Calls',
    legend: `Widths are ${value.type} in ${value.unit}; callers are above their callees`,
    comparedLegend: `Widths are ${value.type} in ${value.unit} of the larger profile; red is more, blue is less than before`,
  };
  if (html !== undefined) writeFileAtomically(html, flameHtml(root, title, subject), io);
  if (svg !== undefined) writeFileAtomically(svg, flameSvg(root, title, subject), io);
  if (scope !== undefined) writeFileAtomically(scope, `${JSON.stringify(speedscope(root, title, subject))}\n`, io);
}
