import { entriesAt, fieldsAt, type Fields } from './fields';
import { type NativeObject } from './native-object';
import { type RelatedObjects } from './related-objects';

/** Returns where the containers of a workload and ConfigMaps of its namespace hold the name of a Service, each with its value. */
export function usesOfService(service: string, { object, relatedObjects }: RelatedObjects): readonly string[] {
  const holdsName = nameMatcher(service);
  const pod = fieldsAt(object, 'spec', 'template', 'spec');
  const inContainers = ['initContainers', 'containers'].flatMap((list) =>
    entriesAt(pod, list).flatMap((container) =>
      textsOf(container)
        .filter(([, text]) => holdsName(text))
        .map(([place, text]) => `${place} of container ${String(container['name'])} (${JSON.stringify(text)})`),
    ),
  );
  const inFiles = relatedObjects
    .filter(({ kind }) => kind === 'ConfigMap')
    .flatMap((configMap) => filesHolding(configMap, holdsName));
  return [...inContainers, ...inFiles];
}

/** Returns the texts of a container that its process reads, each with its place. */
function textsOf(container: Fields): (readonly [string, string])[] {
  const listed = (field: 'command' | 'args') =>
    Array.isArray(container[field])
      ? (container[field] as unknown[]).map((text, index) => [`${field}[${index}]`, String(text)] as const)
      : [];
  const variables = entriesAt(container, 'env').flatMap(({ name, value }) =>
    typeof value === 'string' ? [[`env ${String(name)}`, value] as const] : [],
  );
  return [...variables, ...listed('command'), ...listed('args')];
}

const filesHolding = ({ metadata, ...rest }: NativeObject, holdsName: (text: string) => boolean): string[] =>
  Object.entries(fieldsAt(rest, 'data')).flatMap(([file, text]) => {
    const lines = String(text).split('\n').filter(holdsName);
    return lines.length === 0
      ? []
      : [`${file} of ConfigMap ${metadata.name} (${lines.map((line) => JSON.stringify(line.trim())).join(', ')})`];
  });

/** Returns whether a text holds a host name that is, or ends before its domain with, the name of a Service. */
function nameMatcher(service: string): (text: string) => boolean {
  const name = service.replace(/[.]/g, '\\.');
  // Not a part of another name, nor an element of a path.
  const pattern = new RegExp(`(^|[^\\w/-]|//)${name}(?![\\w-])`);
  return (text) => pattern.test(text);
}
