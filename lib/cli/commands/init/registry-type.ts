import { httpUrlType, parseHttpUrl } from '../../command/option-value-type';

/** Type of the URL of an npm registry. Credentials are rejected, because the project commits the URL. */
export const registryType = {
  ...httpUrlType('https://npm.example.com/, without credentials'),
  parse(text: string): URL | undefined {
    const url = parseHttpUrl(text);
    return url?.username === '' && url.password === '' ? url : undefined;
  },
  isSensitive: (text: string) => text.includes('@'),
};
