import { type RequestInfo } from '../requests/request-info';
import { groupResourceOf } from '../cache/cached-resource';
import { other } from './client-labels';

/** Resource of a request. */
type NamedResource = Pick<RequestInfo, 'group' | 'resource' | 'subresource'>;

const maxNames = 500;

/** Names resources in metrics. A path may name any; only names that a server has answered become values. */
export class ResourceNames {
  readonly #names = new Set<string>();

  /** Returns the name of what a request asks for, such as `pods` and `pods/log`; `other` for one that is not known. */
  nameOf(info: NamedResource | undefined): string {
    if (!info) return 'none';
    const name = nameOf(info);
    return this.#names.has(name) ? name : other;
  }

  /** Notes that a server has answered a request without an error. */
  learn(info: NamedResource | undefined): void {
    if (info && this.#names.size < maxNames) this.#names.add(nameOf(info));
  }
}

function nameOf({ group, resource, subresource }: NamedResource): string {
  const name = groupResourceOf({ group, plural: resource });
  return subresource === undefined ? name : `${name}/${subresource}`;
}
