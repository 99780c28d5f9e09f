import { formatPath, type FieldPath } from '../../../api';
import { type PlatformContext } from '../../../expand';
import { fieldsAt, labelsAt, textAt, type Fields } from './fields';
import { type NativeObject } from './native-object';
import { type PeerWorkload, type RelatedObjects } from './related-objects';
import { type Note, type AddNote } from './note';
import { importTemplate, type ImportedTemplate } from './pod-template';
import { templateOf } from './pod-references';
import { bindsAccount, defaultAccount } from './role-bindings';
import { noteRootContainers } from './root-containers';
import { isRendered, withoutAdded } from './rendered';

/** A native workload and its related objects. */
export interface KindSource {
  readonly object: NativeObject;
  /** Name of the custom resource. */
  readonly name: string;
  /** Services, Ingresses, autoscalers, budgets and service accounts of its namespace. */
  readonly relatedObjects: readonly NativeObject[];
  readonly peers: readonly PeerWorkload[];
  readonly cluster: PlatformContext;
  readonly namespace: string;
  readonly notes: Note[];
}

const nameOf = ({ kind, metadata }: NativeObject): string => `${kind} ${metadata.name}`;

/** Returns a function that adds notes about the workload itself. */
export const noteAdder =
  ({ object, notes }: KindSource, basePath = 'spec'): AddNote =>
  (path, message, common) =>
    void notes.push({
      subject: `${nameOf(object)}: ${basePath === '' ? '' : `${basePath}.`}${path}`,
      message,
      ...(common !== undefined && { common }),
    });

const accountOf = (template: Fields, relatedObjects: readonly NativeObject[]): NativeObject | undefined => {
  const account = textAt(template, 'spec', 'serviceAccountName') ?? textAt(template, 'spec', 'serviceAccount');
  return relatedObjects.find(({ kind, metadata }) => kind === 'ServiceAccount' && metadata.name === account);
};

/** Returns the related objects of the workload, with notes about them. */
export const relatedObjectsOf = ({
  object,
  name,
  relatedObjects,
  peers,
  cluster,
  namespace,
  notes,
}: KindSource): RelatedObjects => ({
  object,
  name,
  labels: labelsAt(templateOf(object), 'metadata', 'labels'),
  account: accountOf(templateOf(object), relatedObjects),
  relatedObjects,
  peers,
  cluster,
  namespace,
  note: (related, path, message) => void notes.push({ subject: `${nameOf(related)}: ${path}`, message }),
});

/** Options for converting the pod template of a kind. */
interface TemplateOptions {
  /** Default grace period of the pinion kind, in seconds. @default 30 */
  readonly grace?: number;
  /** Path of the parent of the template. @default - the workload's spec */
  readonly basePath?: FieldPath;
  /** Pod fields that the pinion kind supports itself. @default - none */
  readonly supportedPodFields?: readonly string[];
}

/** Converts the pod template of a workload. */
export function importedTemplate(
  source: KindSource,
  { grace = 30, basePath = ['spec'], supportedPodFields }: TemplateOptions = {},
): ImportedTemplate {
  const template = fieldsAt(source.object, ...basePath, 'template');
  const account = textAt(template, 'spec', 'serviceAccountName');
  const rendered = isRendered(source.object);
  const note = noteAdder(source, formatPath(basePath));
  const imported = importTemplate({
    template: rendered ? withoutAdded(template) : template,
    hasOwnAccount: account === source.name,
    cluster: source.cluster,
    account: accountOf(template, source.relatedObjects),
    isDefaultBound: source.relatedObjects.some((object) => bindsAccount(object, defaultAccount, source.namespace)),
    grace,
    ...(supportedPodFields && { supportedPodFields }),
    note,
  });
  noteRootContainers(fieldsAt(template, 'spec'), source.cluster.project(source.namespace), note);
  return imported;
}
