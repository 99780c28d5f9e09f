import { escapeRegExp } from '../../../api';
import { type ClientRequestName } from '../../../operations';
import { type ClientsOptions } from './clients-options';

type Filters = Pick<ClientsOptions, 'project' | 'account' | 'user-agent' | 'resource' | 'verb'>;

/** Returns a function that checks whether a request matches one name of each option. */
export function requestFilter(options: Filters): (request: ClientRequestName) => boolean {
  const tests = [
    { names: options.project, valueOf: ({ project }: ClientRequestName) => project },
    { names: options.account, valueOf: ({ account }: ClientRequestName) => account },
    { names: options['user-agent'], valueOf: ({ userAgent }: ClientRequestName) => userAgent },
    { names: options.resource, valueOf: ({ resource }: ClientRequestName) => resource },
    { names: options.verb, valueOf: ({ verb }: ClientRequestName) => verb },
  ].flatMap(({ names, valueOf }) => (names === undefined ? [] : { pattern: patternOf(names), valueOf }));
  return (request) => tests.every(({ pattern, valueOf }) => pattern.test(valueOf(request)));
}

const patternOf = (names: readonly string[]): RegExp =>
  new RegExp(`^(${names.map((name) => name.split('*').map(escapeRegExp).join('.*')).join('|')})$`);
