/** Names of variables and options whose values are secrets. */
const secretName =
  /(?:passw(?:or)?d|passphrase|(?:^|[-_.a-z])(?:secret|token)|(?:secret|api|private|access)[-_.]?key)[-_.]?\d*$/i;
/** Names of Secrets and of their keys, whose values are no secrets. */
const referenceName = /(?:pull|tls|ssl|cert|certificate|existing)[-_.]?secret$/i;
const passwordName = /passw(?:or)?d|passphrase/i;

/** Values that are settings: switches, references, paths, placeholders, and names of sources. */
const setting =
  /^(?:true|false|yes|no|on|off|none|null|required|optional|enabled|disabled|default|auto|file|env|vault|x{3,}|\*+)$|[$%][({]|\{\{|<[^<>]{1,64}>|^[./~@]|^[a-z][-a-z0-9+.]*:/i;

const accessKey = /(?<![A-Za-z0-9])A[KS]IA[A-Z0-9]{16}(?![A-Za-z0-9])/;
const secretKey = /secret_?access_?key["']?\s*[=:]\s*["']?[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/i;
const privateKey = /-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----/;
const password = /(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{0,20}:\/\/[^\s:/@$%{<]{1,64}:[^\s:/@$%{<]{1,128}@/i;

/** What a text probably contains, completing "contains …"; undefined if it contains no secret. */
export function secretIn(text: string): string | undefined {
  if (text.includes('PRIVATE KEY') && privateKey.test(text)) return 'a private key';
  if (accessKey.test(text) || (/secret/i.test(text) && secretKey.test(text))) return 'an AWS access key';
  return undefined;
}

/** Like `secretIn`, for a variable or an argument. */
export const secretInSetting = (text: string): string | undefined =>
  secretIn(text) ?? (text.includes('://') && password.test(text) ? 'a URL with a password' : undefined);

/** Returns whether a name is that of a secret, and its value is the secret itself. */
export const isSecretSetting = (name: string, value: string): boolean =>
  secretName.test(name) &&
  !referenceName.test(name) &&
  value !== '' &&
  !setting.test(value) &&
  (passwordName.test(name) || !/^[\d.]+$/.test(value));
