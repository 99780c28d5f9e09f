import { entriesAt, fieldsAt, type Fields } from './fields';
import { type NativeObject } from './native-object';
import { templatesOf } from './pod-references';
import { type RelatedObjects } from './related-objects';

/** Returns where the containers of a workload and ConfigMaps of its namespace hold the name of a Service, each with the host name that holds it; the rest of a text may be secret. */
export function usesOfService(service: string, { object, relatedObjects }: RelatedObjects): readonly string[] {
  const hostsIn = hostMatcher(service);
  const pods = templatesOf(object).map((template) => fieldsAt(template, 'spec'));
  const containers = pods.flatMap((pod) => ['initContainers', 'containers'].flatMap((list) => entriesAt(pod, list)));
  const inContainers = containers.flatMap((container) =>
    textsOf(container)
      .map(([place, text]) => [place, hostsIn(text)] as const)
      .filter(([, hosts]) => hosts.length > 0)
      .map(([place, hosts]) => `${place} of container ${String(container['name'])} (${hosts.join(', ')})`),
  );
  const inFiles = relatedObjects
    .filter(({ kind }) => kind === 'ConfigMap')
    .flatMap((configMap) => filesHolding(configMap, hostsIn));
  return [...new Set([...inContainers, ...inFiles])];
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

const filesHolding = ({ metadata, ...rest }: NativeObject, hostsIn: (text: string) => readonly string[]): string[] =>
  Object.entries(fieldsAt(rest, 'data')).flatMap(([file, text]) => {
    const hosts = hostsIn(String(text));
    return hosts.length === 0 ? [] : [`${file} of ConfigMap ${metadata.name} (${hosts.join(', ')})`];
  });

/** Returns a function that finds the host names that are, or end before their domain with, the name of a Service. */
function hostMatcher(service: string): (text: string) => readonly string[] {
  const name = service.replace(/[^\w-]/g, '\\$&');
  // Not a part of another name, nor an element of a path.
  const pattern = new RegExp(`(?:^|(?<=[^\\w/.-]|//))(?:[\\w-]+\\.)*${name}(?![\\w-])(?:\\.[\\w-]+)*`, 'gm');
  return (text) => [...new Set([...text.matchAll(pattern)].map(([host]) => host))];
}
