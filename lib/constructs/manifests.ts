import { Chart, Names, YamlOutputType, type ApiObject } from 'cdk8s';
import { writeDocuments } from '../yaml';
import { type AppOrder } from './app-order';
import { type AtomicFolder } from './atomic-folder';
import { ManifestApiObject } from './manifest-api-object';

/** A manifest with the fields that determine its file name in cdk8s. */
interface NamedManifest {
  readonly kind?: string;
  readonly metadata?: { readonly name?: string };
}

/** Returns an object as written: a `ManifestApiObject` unchanged, others as cdk8s renders them. */
const documentOf = (object: ApiObject): unknown =>
  (ManifestApiObject.isManifestApiObject(object) && object.unmodifiedObject()) || replaceGapsWithNull(object.toJson());

/** Returns the manifests of a chart in apply order. */
function* documentsOf(chart: Chart, order: AppOrder): Generator<unknown, void, undefined> {
  if (chart.toJson !== Chart.prototype.toJson) yield* Object.values(chart.toJson()).map(replaceGapsWithNull);
  else for (const object of order.objectsOf(chart)) yield documentOf(object);
}

/** Replaces undefined list items, which cdk8s leaves for null, with null. */
function replaceGapsWithNull(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const entries = value as Record<string, unknown>;
  for (const key of Object.keys(entries)) {
    if (entries[key] === undefined && Array.isArray(value)) entries[key] = null;
    else replaceGapsWithNull(entries[key]);
  }
  return value;
}

/** Writes the files of an app, in the layout of cdk8s for each output type. */
export function writeManifests(order: AppOrder, type: YamlOutputType, extension: string, folder: AtomicFolder): void {
  const { charts } = order;
  const name = (chart: Chart, index: number) =>
    (order.areChartsOrdered ? `${String(index).padStart(4, '0')}-` : '') + Names.toDnsLabel(chart);
  switch (type) {
    case YamlOutputType.FILE_PER_APP:
      if (charts.length > 0) folder.write(`app${extension}`, writeDocuments(allDocuments(order)));
      break;
    case YamlOutputType.FILE_PER_CHART:
      charts.forEach((chart, index) =>
        folder.write(name(chart, index) + extension, writeDocuments(documentsOf(chart, order))),
      );
      break;
    case YamlOutputType.FILE_PER_RESOURCE:
      for (const document of allDocuments(order)) {
        folder.write(fileName(document as NamedManifest) + extension, writeDocuments([document]));
      }
      break;
    case YamlOutputType.FOLDER_PER_CHART_FILE_PER_RESOURCE:
      charts.forEach((chart, index) => {
        folder.folder(name(chart, index));
        for (const object of order.objectsOf(chart)) {
          const file = `${name(chart, index)}/${fileName(object)}${extension}`;
          folder.write(file, writeDocuments([documentOf(object)]));
        }
      });
  }
}

/** Returns all manifests of an app in apply order. */
export function* allDocuments(order: AppOrder): Generator<unknown, void, undefined> {
  for (const chart of order.charts) yield* documentsOf(chart, order);
}

const fileName = ({ kind, metadata }: NamedManifest) => `${kind}.${metadata?.name}`.replace(/[^0-9a-zA-Z-_.]/g, '');
