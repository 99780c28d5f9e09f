import { plainFile, program, type MachineFile } from './text/machine-file';

/** What runtime profiles add to machines. */
export interface HostParts {
  /** Packages of the operating system. */
  readonly packages: readonly string[];
  /** Text of files by path. */
  readonly files: Readonly<Record<string, string>>;
  /** systemd units by name. */
  readonly units: Readonly<Record<string, string>>;
}

/** Fields of a RuntimeProfile part that concern machines. */
export interface ProfilePart {
  readonly injection?: 'Required' | 'OptOut' | 'OptIn' | undefined;
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
 * Returns what a RuntimeProfile adds to machines.
 *
 * Parts with injection `OptIn` are excluded, since no workload opts in for a machine; so are parts that need Platform
 * values missing from `values`.
 */
export function hostParts(parts: readonly ProfilePart[], values: readonly string[] = []): HostParts {
  const present = parts
    .filter(({ injection }) => injection !== 'OptIn')
    .filter(({ needsValues = [] }) => needsValues.every((value) => values.includes(value)))
    .flatMap(({ machine }) => (machine ? [machine] : []));
  return {
    packages: [...new Set(present.flatMap(({ packages = [] }) => packages))].sort(),
    files: Object.assign({}, ...present.map(({ files }) => files)) as Readonly<Record<string, string>>,
    units: Object.assign({}, ...present.map(({ units }) => units)) as Readonly<Record<string, string>>,
  };
}

/** Returns the files of host parts; files in `bin` and `sbin` folders are executable. */
export const hostFiles = (host: HostParts): MachineFile[] => [
  ...Object.entries(host.files).map(([path, text]) => (/\/s?bin\//.test(path) ? program : plainFile)(path, text)),
  ...Object.entries(host.units).map(([name, text]) => plainFile(`/etc/systemd/system/${name}`, text)),
];

/** Returns the units that start at boot: those with an `[Install]` section. */
export const hostUnits = (host: HostParts): string[] =>
  Object.keys(host.units)
    .filter((name) => /^\[Install\]$/m.test(host.units[name] ?? ''))
    .sort();
