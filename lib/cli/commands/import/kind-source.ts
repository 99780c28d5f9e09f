import { type PlatformContext } from '../../../expand';
import { fieldsAt, labelsAt, textAt } from './fields';
import { type NativeObject } from './native-object';
import { type RelatedObjects } from './related-objects';
import { type Note, type AddNote } from './note';
import { importTemplate, type ImportedTemplate } from './pod-template';
import { isRendered, withoutAdded } from './rendered';

/** A native workload and its related objects. */
export interface KindSource {
  readonly object: NativeObject;
  /** Name of the custom resource. */
  readonly name: string;
  /** Services, Ingresses, autoscalers, budgets and service accounts of its namespace. */
  readonly around: readonly NativeObject[];
  readonly cluster: PlatformContext;
  readonly notes: Note[];
}

const nameOf = ({ kind, metadata }: NativeObject): string => `${kind} ${metadata.name}`;

/** Returns a function that adds notes about the workload itself. */
export const about =
  ({ object, notes }: KindSource, below = 'spec'): AddNote =>
  (path, message) =>
    void notes.push({ about: `${nameOf(object)}: ${below}.${path}`, message });

/** Returns the related objects of the workload, with notes about them. */
export const relatedObjectsOf = ({ object, name, around, cluster, notes }: KindSource): RelatedObjects => ({
  object,
  name,
  labels: labelsAt(object, 'spec', 'template', 'metadata', 'labels'),
  around,
  cluster,
  note: (one, path, message) => void notes.push({ about: `${nameOf(one)}: ${path}`, message }),
});

/** Options for converting the pod template of a kind. */
interface TemplateChoices {
  /** Default grace period of the pinion kind, in seconds. @default 30 */
  readonly grace?: number;
  /** Path of the parent of the template. @default - the workload's spec */
  readonly below?: readonly string[];
  /** Pod fields that the pinion kind has itself. @default - none */
  readonly carried?: readonly string[];
}

/** Returns the pod template of a workload, converted. */
export function importedTemplate(
  source: KindSource,
  { grace = 30, below = ['spec'], carried }: TemplateChoices = {},
): ImportedTemplate {
  const template = fieldsAt(source.object, ...below, 'template');
  const account = textAt(template, 'spec', 'serviceAccountName');
  const rendered = isRendered(source.object);
  return importTemplate({
    template: rendered ? withoutAdded(template) : template,
    hasOwnAccount: rendered && account === source.name,
    cluster: source.cluster,
    account: source.around.find(({ kind, metadata }) => kind === 'ServiceAccount' && metadata.name === account),
    grace,
    ...(carried && { carried }),
    note: about(source, below.join('.')),
  });
}
