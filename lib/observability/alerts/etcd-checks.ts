/** The command that tells what etcd holds now. */
export const contentsCommand = 'pinion etcd snapshot now.db && pinion etcd analyze now.db';

/** Checks that several alerts about etcd begin with. */
export const etcdChecks = {
  status: { look: 'what each member says: leader, size, errors', command: 'pinion etcd status' },
  contents: { look: 'which resources, namespaces and writers take the room', command: contentsCommand },
} as const;
