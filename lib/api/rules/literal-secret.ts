/** Names of variables and options whose values are secrets. */
const secretName =
  /(?:passw(?:or)?d|passphrase|[-_.](?:pass|pwd)|(?:^|[-_.a-z])(?:secret|token)|(?:secret|api|private|access)[-_.]?key)[-_.]?\d*$/i;
/** Names of Secrets and of their keys, whose values are no secrets. */
const referenceName = /(?:pull|tls|ssl|cert|certificate|existing)[-_.]?secret$/i;
/** Names of a run over data, such as TWO_PASS, and of a folder, OLD_PWD. */
const otherPass = /(?:^|[-_.])(?:one|two|single|multi|first|second|last|by|proxy|render|old)[-_.](?:pass|pwd)$/i;
const passwordName = /passw(?:or)?d|passphrase/i;
/** Options that turn something on or off, such as --no-password. */
const switchName = /^(?:no|skip|ask|show|allow)-/i;

/** Values that are settings: switches, references, paths, placeholders, and names of sources. */
const setting =
  /^(?:[01]|true|false|yes|no|on|off|none|null|required|optional|enabled|disabled|default|auto|file|env|vault|x{3,}|\*+)$|[$%][({]|\{\{|<[^<>]{1,64}>|^[./~@]|^[a-z][-a-z0-9+.]*:/i;
/** Texts without letters and digits, and special tokens of models, such as [PAD]. */
const marker = /^(?:[^A-Za-z0-9]*|\[[A-Za-z]{1,16}\])$/;
const fileName =
  /^[\w./-]{1,128}\.(?:key|pem|crt|cer|cert|der|pub|p12|pfx|jks|asc|gpg|json|ya?ml|toml|ini|conf|env|txt)$/i;
const headerName = /^x(?:-[a-z]+)+$/i;
/** Names of at least two words, such as cart-db and prod/cart/db. Random texts mix letters and digits. */
const objectName =
  /^(?:[A-Z]?[a-z]+\d{0,3}|[A-Z]+\d{0,3}|\d{1,4})(?:[-._/](?:[A-Z]?[a-z]+\d{0,3}|[A-Z]+\d{0,3}|\d{1,4}))+$/;

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
  !switchName.test(name) &&
  !otherPass.test(name) &&
  !isSetting(value) &&
  !(/secret$/i.test(name) && value.length <= 253 && objectName.test(value)) &&
  (passwordName.test(name) || !/^[\d.]+$/.test(value));

const isSetting = (value: string): boolean => [setting, marker, fileName, headerName].some((form) => form.test(value));

/** An assignment in a text, such as `--password=x` or `Password: x;`, with the character before it. */
const assignment = /(^|[^\w.-])([\w.-]+)["']?\s*([=:])\s*["']?([^\s"';,&]+)/g;
const credentials = /\b(?:bearer|basic)\s+[\w.~+/-]{8,}/i;
const credentialsHeader = /^(?:proxy-)?authorization$/i;

/**
 * Returns whether a text is or contains a secret, by its form, its assignments or the name of its setting, header, label or
 * annotation. For reports, which rather hide too much.
 */
export const holdsSecretText = (text: string, name: string): boolean =>
  secretInSetting(text) !== undefined ||
  isSecretSetting(withoutDomain(name), text) ||
  (credentialsHeader.test(name) && /\S{8}/.test(text)) ||
  credentials.test(text) ||
  [...text.matchAll(assignment)].some(
    ([, before, key = '', sign, assigned = '']) => !isImageTag(before, sign) && isSecretSetting(key, assigned),
  );

/** Returns whether an assignment is the tag of an image, such as `shop/auth-token:v2`. */
const isImageTag = (before: string | undefined, sign: string | undefined): boolean => before === '/' && sign === ':';

const withoutDomain = (name: string): string => name.slice(name.lastIndexOf('/') + 1);
