import { trainingRoles } from '../../../../api';
import { importedNativeKinds } from './native-kinds';
import { acceleratorsOf } from '../accelerators';
import { entriesAt, fieldsAt, fieldIfSet, isSame, numberAt, textAt, type Fields } from '../fields';
import { trainingRunOf } from '../training-run';
import { importedTemplate, noteAdder, relatedObjectsOf, type KindSource } from '../kind-source';
import { type NativeObject } from '../native-object';
import { type AddNote } from '../note';
import { usesOfService } from '../old-names';
import { shownValue } from '../shown-value';
import { noteUnconverted } from '../unconverted-fields';
import { type KindImport } from './kind-import';

/** A kind of Kubeflow: its framework, and where its replicas are. */
interface Flavor {
  readonly framework: keyof typeof trainingRoles;
  /** Field with the replicas by role. */
  readonly replicas: string;
  /** Role of pinion by the native one, where the name differs. */
  readonly renamed: Readonly<Record<string, string>>;
  /** Restart policy of a role that sets none. */
  readonly restartPolicy: string;
  readonly port: string;
  /** Whether it succeeds only when all members do, whatever its `successPolicy`. */
  readonly needsAllMembers: boolean;
}

const tensorflow: Flavor = {
  framework: 'tensorflow',
  replicas: 'tfReplicaSpecs',
  renamed: { Master: 'chief' },
  restartPolicy: 'Never',
  port: 'tfjob-port',
  needsAllMembers: false,
};
const pytorch: Flavor = {
  framework: 'pytorch',
  replicas: 'pytorchReplicaSpecs',
  renamed: {},
  restartPolicy: 'OnFailure',
  port: 'pytorchjob-port',
  needsAllMembers: false,
};
const jax: Flavor = {
  framework: 'jax',
  replicas: 'jaxReplicaSpecs',
  renamed: {},
  restartPolicy: 'Never',
  port: 'jaxjob-port',
  needsAllMembers: true,
};

const importOf = (nativeKind: string, flavor: Flavor): KindImport => ({
  nativeKind,
  shortName: nativeKind.toLowerCase(),
  isRun: true,
  specOf: (source) => specOf(source, flavor),
  unsupported: (object) => {
    const unknown = rolesOf(object, flavor).filter(({ role }) => !isRole(role, flavor));
    return unknown.length > 0
      ? `has replicas of the role ${unknown.map(({ native }) => native).join(', ')}, which ${flavor.framework} does not have in a PinterestTrainingJob`
      : undefined;
  },
  jobsIn: (object) =>
    rolesOf(object, flavor).map(({ role, path, replica }) => ({
      path: path.join('.'),
      role,
      spec: { template: replica['template'] },
    })),
});

const [tfJob, pyTorchJob, jaxJob] = importedNativeKinds.PinterestTrainingJob;

/** Import of a TFJob. */
export const tfJobImport = importOf(tfJob, tensorflow);
/** Import of a PyTorchJob. */
export const pyTorchJobImport = importOf(pyTorchJob, pytorch);
/** Import of a JAXJob. */
export const jaxJobImport = importOf(jaxJob, jax);

const isRole = (role: string, { framework }: Flavor): boolean =>
  trainingRoles[framework].some((known) => known === role);

/** Returns the roles of a training job, with their paths. */
const rolesOf = (object: NativeObject, { replicas, renamed }: Flavor) =>
  Object.entries(fieldsAt(object, 'spec', replicas)).map(([native, replica]) => ({
    native,
    role: renamed[native] ?? native.toLowerCase(),
    path: ['spec', replicas, native],
    replica: fieldsAt(replica),
  }));

function specOf(source: KindSource, flavor: Flavor): Fields {
  const spec = fieldsAt(source.object, 'spec');
  const note = noteAdder(source, '');
  const roles = rolesOf(source.object, flavor).map((entry) => ({
    ...entry,
    imported: importedTemplate(source, { basePath: entry.path }),
  }));
  const accelerators = acceleratorsOf(
    roles.map(({ role, imported }) => ({ role, template: imported.template })),
    source.cluster.platform.spec.pools,
  );
  const templates = roles.map(({ imported }) => accelerators.without(imported.template));
  const shares = templates.every((template) => isSame(template, templates[0]));
  const [first] = roles;
  noteUnconverted(
    spec,
    [flavor.replicas, 'runPolicy', 'successPolicy', 'elasticPolicy', 'nprocPerNode'],
    'spec.',
    note,
  );
  for (const { path, replica } of roles)
    noteUnconverted(replica, ['replicas', 'restartPolicy', 'template'], `${path.join('.')}.`, note);
  noteHostNames(roles, source);
  return {
    framework: flavor.framework,
    roles: Object.fromEntries(
      roles.map(({ role, replica }, index) => [
        role,
        { ...roleOf(replica, flavor), ...(!shares && { template: templates[index] }) },
      ]),
    ),
    ...portOf(roles[0]?.imported.template ?? {}, flavor),
    ...(flavor.framework === 'pytorch' && processesOf(spec, accelerators.fields, note)),
    ...fieldIfSet('elastic', elasticOf(spec, note)),
    ...((flavor.needsAllMembers || textAt(spec, 'successPolicy') === 'AllWorkers') && { successPolicy: 'AllWorkers' }),
    ...trainingRunOf(fieldsAt(spec, 'runPolicy'), note),
    ...accelerators.fields,
    ...first?.imported.fields,
    ...(shares && { template: templates[0] }),
  };
}

function roleOf(replica: Fields, flavor: Flavor): Fields {
  const replicas = numberAt(replica, 'replicas');
  const restartPolicy = textAt(replica, 'restartPolicy') ?? flavor.restartPolicy;
  return {
    ...(replicas !== undefined && replicas !== 1 && { replicas }),
    ...(restartPolicy !== 'OnFailure' && { restartPolicy }),
  };
}

function portOf(template: Fields, flavor: Flavor): Fields {
  const ports = entriesAt(template, 'spec', 'containers').flatMap((container) => entriesAt(container, 'ports'));
  const port = numberAt(
    ports.find(({ name }) => name === flavor.port),
    'containerPort',
  );
  return port === undefined || port === 23456 ? {} : { port };
}

function processesOf(spec: Fields, { accelerators }: Fields, note: AddNote): Fields {
  const count = numberAt(accelerators, 'count') ?? 1;
  const given = spec['nprocPerNode'] ?? fieldsAt(spec, 'elasticPolicy')['nProcPerNode'];
  if (given !== undefined && /^\d+$/.test(String(given))) return { processesPerNode: Number(given) };
  if (given !== undefined || count > 1)
    note(
      'spec.nprocPerNode',
      `${given === undefined ? 'was not set' : `${shownValue(given)} has no counterpart`}; each member now starts ${count === 1 ? 'one process' : `${count} processes, one per accelerator, by torchrun; set spec.processesPerNode: 1 if the command is not torchrun`}`,
    );
  return {};
}

function elasticOf(spec: Fields, note: AddNote): Fields {
  const elastic = fieldsAt(spec, 'elasticPolicy');
  const known = ['minReplicas', 'maxReplicas', 'maxRestarts', 'nProcPerNode'];
  noteUnconverted(
    elastic,
    elastic['rdzvBackend'] === 'c10d' ? [...known, 'rdzvBackend'] : known,
    'spec.elasticPolicy.',
    note,
  );
  const [minReplicas, maxReplicas] = [numberAt(elastic, 'minReplicas'), numberAt(elastic, 'maxReplicas')];
  if (minReplicas === undefined && maxReplicas === undefined) return {};
  return {
    minReplicas: minReplicas ?? maxReplicas,
    maxReplicas: maxReplicas ?? minReplicas,
    ...fieldIfSet('maxRestarts', elastic['maxRestarts']),
  };
}

/** Notes that members have other host names, and where the old ones are. */
function noteHostNames(roles: readonly { readonly native: string }[], source: KindSource): void {
  const related = relatedObjectsOf(source);
  const old = source.object.metadata.name;
  const names = roles.map(({ native }) => `${old}-${native.toLowerCase()}-0`);
  const uses = names.flatMap((name) => usesOfService(name, related));
  noteAdder(source, '')(
    'metadata.name',
    `host names of members change from ${names.join(', ')} to names in the domain of Service ${source.name}, which the platform sets in the variables of the framework${uses.length === 0 ? '' : `; change the old name in ${[...new Set(uses)].join(', ')}`}`,
  );
}
