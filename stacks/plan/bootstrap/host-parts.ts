import { plainFile, program, type MachineFile } from './text/machine-file';

/** What runtime profiles add to machines. */
export interface HostParts {
  /** Packages of the operating system. */
  readonly packages: readonly string[];
  /** Text of files by path. */
  readonly files: Readonly<Record<string, string>>;
  /** Text of systemd units by name. */
  readonly units: Readonly<Record<string, string>>;
}

/** As much of a part of a RuntimeProfile as concerns machines. */
export interface ProfilePart {
  readonly presence?: 'required' | 'optional' | 'onRequest' | undefined;
  readonly needsValues?: readonly string[] | undefined;
  readonly machine?:
    | {
        readonly packages?: readonly string[] | undefined;
        readonly files?: Readonly<Record<string, string>> | undefined;
        readonly units?: Readonly<Record<string, string>> | undefined;
      }
    | undefined;
}

/**
 * The machine level of a RuntimeProfile.
 *
 * Parts on request are left out, since nobody can ask on behalf of a machine; so are parts that need values of the
 * Platform which `values` does not name.
 */
export function hostParts(parts: readonly ProfilePart[], values: readonly string[] = []): HostParts {
  const present = parts
    .filter(({ presence }) => presence !== 'onRequest')
    .filter(({ needsValues = [] }) => needsValues.every((value) => values.includes(value)))
    .flatMap(({ machine }) => (machine ? [machine] : []));
  return {
    packages: [...new Set(present.flatMap(({ packages = [] }) => packages))].sort(),
    files: Object.assign({}, ...present.map(({ files }) => files)) as Readonly<Record<string, string>>,
    units: Object.assign({}, ...present.map(({ units }) => units)) as Readonly<Record<string, string>>,
  };
}

/** Files of the machine level; what lies in a folder for programs is one. */
export const hostFiles = (host: HostParts): MachineFile[] => [
  ...Object.entries(host.files).map(([path, text]) => (/\/s?bin\//.test(path) ? program : plainFile)(path, text)),
  ...Object.entries(host.units).map(([name, text]) => plainFile(`/etc/systemd/system/${name}`, text)),
];

/** Units that start with the machine: those that say what wants them. */
export const hostUnits = (host: HostParts): string[] =>
  Object.keys(host.units)
    .filter((name) => /^\[Install\]$/m.test(host.units[name] ?? ''))
    .sort();
