/** What a command that asks the members of an etcd needs; its certificates are those of etcdctl. */
const access = '--endpoints URLS --cacert FILE --cert FILE --key FILE';

/** The command that shows how the members stand. */
export const statusCommand = `pinion etcd status ${access}`;

/** The command that tells what etcd holds now, beside its quota. */
export const contentsCommand = `pinion etcd snapshot ${access} now.db && pinion etcd analyze --quota SIZE now.db`;

/** How a sentence names commands that mend, where one with the same options is among the checks. */
export const alike = (...words: readonly string[]): string =>
  `${words.map((word) => `\`pinion etcd ${word}\``).join(' and ')} (options as above)`;

/** Checks that several alerts about etcd begin with. */
export const etcdChecks = {
  status: { look: 'what each member says: leader, size, errors', command: statusCommand },
  contents: { look: 'which resources, namespaces and writers take the room', command: contentsCommand },
} as const;
