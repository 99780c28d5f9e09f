/** Why a text is not an image reference, and how to fix it. */
export interface ImageFault {
  readonly reason: string;
  readonly remedy: string;
}

/** Parts of an image reference. */
interface ImageParts {
  /** Registry and repository. */
  readonly name: string;
  readonly tag?: string;
  readonly digest?: string;
}

const domain =
  /^([A-Za-z0-9]([-A-Za-z0-9]*[A-Za-z0-9])?(\.[A-Za-z0-9]([-A-Za-z0-9]*[A-Za-z0-9])?)*|\[[0-9a-fA-F:]+\])(:[0-9]+)?$/;
const component = /^[a-z0-9]+((__|[._]|-+)[a-z0-9]+)*$/;
const tagForm = /^\w[\w.-]{0,127}$/;
const digestForm = /^(sha256:[0-9a-f]{64}|sha384:[0-9a-f]{96}|sha512:[0-9a-f]{128})$/;
const maxPathLength = 255;

/** Splits an image reference without checking its parts. */
export function splitImage(image: string): ImageParts {
  const at = image.indexOf('@');
  const tagged = at < 0 ? image : image.slice(0, at);
  // A colon before the last slash leads to the port of a registry.
  const colon = tagged.indexOf(':', tagged.lastIndexOf('/') + 1);
  return {
    name: colon < 0 ? tagged : tagged.slice(0, colon),
    ...(colon >= 0 && { tag: tagged.slice(colon + 1) }),
    ...(at >= 0 && { digest: image.slice(at + 1) }),
  };
}

/**
 * Returns why container runtimes cannot parse an image reference; undefined if they can.
 *
 * The API server accepts any text. The kubelet parses it like Docker, with the grammar of distribution/reference, and
 * reports InvalidImageName.
 */
export function imageFault(image: string): ImageFault | undefined {
  const placeholder = /\$\{[^}]*\}|\$\([^)]*\)|\{\{.*?\}\}/.exec(image)?.[0];
  if (placeholder !== undefined)
    return { reason: `has the placeholder ${placeholder}`, remedy: 'replace it, for example with envsubst' };
  const scheme = /^[a-z]+:\/\//.exec(image)?.[0];
  if (scheme !== undefined)
    return { reason: 'is a URL, not an image reference', remedy: `remove the scheme ${scheme}` };
  const { name, tag, digest } = splitImage(image);
  const path = pathOf(name);
  if (path === undefined)
    return { reason: 'has an invalid registry', remedy: 'write a host name, such as registry.example.com' };
  if (digest !== undefined && !digestForm.test(digest))
    return {
      reason: 'has an invalid digest',
      remedy: 'write @sha256: and 64 lower-case hexadecimal digits, or remove it',
    };
  if (tag !== undefined && !tagForm.test(tag))
    return { reason: 'has an invalid tag', remedy: 'use at most 128 letters, digits, "_", "." and "-"' };
  if (isPath(path) && path.length <= maxPathLength && !isId(image)) return undefined;
  return isPath(path.toLowerCase()) && path !== path.toLowerCase()
    ? { reason: 'has capital letters in the repository', remedy: 'write the repository in lower case' }
    : { reason: 'is not an image reference', remedy: 'write it as registry.example.com/shop/cart:1.4.2' };
}

/** Returns the repository without its registry; undefined if the registry is invalid. */
function pathOf(name: string): string | undefined {
  const slash = name.indexOf('/');
  const first = name.slice(0, Math.max(slash, 0));
  const isRegistry = /[.:A-Z]/.test(first) || first === 'localhost';
  if (!isRegistry) return name;
  if (domain.test(first)) return name.slice(slash + 1);
  // With an underscore, it is the first component of a path.
  return component.test(first) ? name : undefined;
}

const isPath = (path: string): boolean => path.split('/').every((part) => component.test(part));

/** Returns whether a text would be the ID of an image instead. */
const isId = (image: string): boolean => /^[0-9a-f]{64}$/.test(image);
