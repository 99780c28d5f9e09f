import { UsageError } from '../../command/arguments';

/** The namespace that a person names, where there is one. Throws a `UsageError` for what is no name of one. */
export function namespaceOf(text: string | undefined): { readonly namespace?: string } {
  if (text === undefined) return {};
  if (/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(text)) return { namespace: text };
  throw new UsageError(`--namespace takes small letters, digits and dashes, not ${JSON.stringify(text)}`);
}

/** Where pages of alerts are served, where a person says it. Throws a `UsageError` for what is no URL. */
export function runbooksAt(text: string | undefined): { readonly runbooks?: string } {
  if (text === undefined) return {};
  if (/^https?:\/\/\S+$/.test(text) && URL.canParse(text)) return { runbooks: text.replace(/\/+$/, '') };
  throw new UsageError(`--runbooks takes a URL such as https://runbooks.example.com, not ${JSON.stringify(text)}`);
}
