import { UsageError } from '../../command/usage-error';

/** Parses `--namespace`. Throws a `UsageError`. */
export function namespaceOf(text: string | undefined): { readonly namespace?: string } {
  if (text === undefined) return {};
  if (/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(text)) return { namespace: text };
  throw new UsageError(`--namespace must be lower-case letters, digits and dashes, not ${JSON.stringify(text)}`);
}

/** Parses `--runbooks`. Throws a `UsageError`. */
export function runbooksAt(text: string | undefined): { readonly runbooks?: string } {
  if (text === undefined) return {};
  if (/^https?:\/\/\S+$/.test(text) && URL.canParse(text)) return { runbooks: text.replace(/\/+$/, '') };
  throw new UsageError(`--runbooks must be a URL such as https://runbooks.example.com, not ${JSON.stringify(text)}`);
}
