import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { flameHtml, flameSvg, speedscope, type FlameSubject } from '../../../etcd';
import {
  fetchProfile,
  frameUnitOf,
  NoProfile,
  type Profile,
  profileFrames,
  readProfile,
  sumProfile,
  Unfetched,
  valueIndex,
} from '../../../operations';
import { UsageError } from '../../command/arguments';
import { clusterHelp, withConnection } from '../../cluster/cluster-connection';
import { exitCodes } from '../../command/exit-codes';
import { UnavailableError, reasonOf, type Io } from '../../io/io';
import { profileText } from './profile-text';
import { type ProfiledProgram, type ProfileArguments, profileOptions, profiledPrograms, targetOf } from './target';
import { defineCommand } from '../../command/command';
import { refuseToOverwriteInputs } from '../../output/kept-files';
import { writeFileAtomically } from '../../output/whole-file';

const help = `pinion profile apiserver|controller-manager|scheduler|controller --heap|--cpu [options]
pinion profile --file FILE [options]

Says what a program of the control plane, or pinion's own controller, does with its time or its memory: first in words,
then by function.

  --heap             memory that is in use
  --cpu              processor time
  --seconds N        how long --cpu samples (default: 10)
  --file FILE        reads a saved profile instead
  --diff FILE        what increased and decreased since that profile
  --save FILE        saves the profile, for --diff and for "go tool pprof"
  --value TYPE       another value of the profile, such as alloc_space or inuse_objects
  --url URL          where the program is, such as https://127.0.0.1:10257 on a master; the credentials are the cluster's
  --cacert FILE      certificate authority to trust there
  --insecure         trusts any certificate there
  --namespace NAME   namespace of pinion's controller (default: pinion-controller)
${clusterHelp}
  -o, --output       text or json
  --html FILE        a flame graph to look around in
  --svg FILE         the same as a picture
  --speedscope FILE  the same for speedscope
  --top COUNT        functions that are shown (default: 20)

The API server is asked directly, controller manager and scheduler through it at their pods. That works if they listen on the
address of the machine and accept the API server's proxy; with kubeadm they do not: use --url on a master. The leading process of
pinion's controller is asked through the API server, if it was installed with --profiles-from.
`;

/** `pinion profile`: where a program of the control plane spends its time and memory. */
export const profileCommand = defineCommand({
  help,
  options: profileOptions,
  subcommands: profiledPrograms,
  async run(given, io) {
    const { file, diff, save, html, svg, speedscope: scope } = given.values;
    refuseToOverwriteInputs([file, diff], { save, html, svg, speedscope: scope }, io);
    const top = wholeNumber('top', given.values.top, 20, 10_000);
    const { bytes, title } = await bytesOf(given, io);
    if (save !== undefined) keep(save, bytes, io);
    const found = read(title, bytes);
    const earlier = diff === undefined ? undefined : read(diff, fileBytes(diff, io));
    const index = indexOf(found, given);
    if (earlier && indexOf(earlier, given) !== index) throw new UsageError(`${diff} is a profile of another kind`);
    const sums = sumProfile(found, index);
    const before = earlier && sumProfile(earlier, index);
    const isJson = given.values.output === 'json';
    await io.write(
      isJson
        ? `${JSON.stringify({ ...sums, ...(before && { before }) }, null, 2)}\n`
        : profileText(title, sums, top, before),
    );
    picture(given, io, found, index, title, earlier);
    return exitCodes.success;
  },
});

async function bytesOf(given: ProfileArguments, io: Io): Promise<{ bytes: Uint8Array; title: string }> {
  const { positionals, values, flags } = given;
  if (values.file !== undefined) {
    if (positionals.length > 0) throw new UsageError('--file needs no program');
    return { bytes: fileBytes(values.file, io), title: values.file };
  }
  const program = programOf(positionals);
  if (values.namespace !== undefined && program !== 'controller')
    throw new UsageError('--namespace goes with controller, whose namespace it is');
  if ((flags.heap === true) === (flags.cpu === true)) throw new UsageError('profile needs --heap or --cpu');
  if (values.seconds !== undefined && flags.cpu !== true) throw new UsageError('--seconds goes with --cpu');
  const seconds = wholeNumber('seconds', values.seconds, 10, 600);
  const what = flags.heap === true ? 'heap' : `profile?seconds=${seconds}`;
  return withConnection(values, io, async (connection) => {
    const { settings, prefix, right, absent } = await targetOf(program, given, connection, io);
    const timeout = (seconds + 30) * 1000;
    if (flags.cpu === true && io.terminal.err) io.writeError(`looking at ${program} for ${seconds} s\n`);
    try {
      const now = connection.clock.now();
      const bytes = await fetchProfile(settings, {
        path: `${prefix}/debug/pprof/${what}`,
        timeout,
        now,
        right,
        absent,
      });
      return { bytes, title: `${program}, ${flags.heap === true ? 'heap' : `cpu for ${seconds} s`}` };
    } catch (error) {
      if (error instanceof Unfetched) throw new UnavailableError(error.message);
      throw error;
    }
  });
}

function programOf([program, ...more]: readonly string[]): ProfiledProgram {
  const offered = profiledPrograms.join(', ');
  if (program === undefined || more.length > 0) throw new UsageError(`profile needs one program: ${offered}`);
  const known = profiledPrograms.find((one) => one === program);
  if (known === undefined) throw new UsageError(`profile takes ${offered}, not ${program}`);
  return known;
}

function wholeNumber(option: string, text: string | undefined, usual: number, most: number): number {
  const number = Number(text ?? usual);
  if (!Number.isInteger(number) || number < 1 || number > most)
    throw new UsageError(`--${option} takes a whole number from 1 to ${most}, not ${text}`);
  return number;
}

function read(name: string, bytes: Uint8Array): Profile {
  try {
    return readProfile(bytes);
  } catch (error) {
    if (error instanceof NoProfile) throw new UnavailableError(`${name}: ${error.message}`);
    throw error;
  }
}

function indexOf(found: Profile, { values }: ProfileArguments): number {
  const index = valueIndex(found, values.value);
  if (index !== undefined) return index;
  throw new UsageError(
    `--value takes ${found.values.map(({ type }) => type).join(', ')}, not ${values.value ?? found.usual}`,
  );
}

function fileBytes(file: string, io: Io): Uint8Array {
  try {
    return readFileSync(resolve(io.cwd, file));
  } catch (error) {
    throw new UnavailableError(`${file} ${reasonOf(error)}`);
  }
}

function keep(file: string, bytes: Uint8Array, io: Io): void {
  try {
    writeFileSync(resolve(io.cwd, file), bytes);
  } catch (error) {
    throw new UnavailableError(`${file} ${reasonOf(error)}`);
  }
}

function picture(
  { values }: ProfileArguments,
  io: Io,
  found: Profile,
  index: number,
  title: string,
  earlier?: Profile,
): void {
  const { html, svg, speedscope: scope } = values;
  if (html === undefined && svg === undefined && scope === undefined) return;
  const root = profileFrames(found, index, earlier);
  const value = found.values[index] ?? { type: '', unit: '' };
  const subject: FlameSubject = {
    unit: frameUnitOf(value),
    hasHistory: false,
    label: 'Calls',
    legend: `Widths are ${value.type} in ${value.unit}; callers stand above what they call`,
    comparedLegend: `Widths are ${value.type} in ${value.unit} of the larger profile; red is more, blue is less than before`,
  };
  if (html !== undefined) writeFileAtomically(html, flameHtml(root, title, subject), io);
  if (svg !== undefined) writeFileAtomically(svg, flameSvg(root, title, subject), io);
  if (scope !== undefined) writeFileAtomically(scope, `${JSON.stringify(speedscope(root, title, subject))}\n`, io);
}
