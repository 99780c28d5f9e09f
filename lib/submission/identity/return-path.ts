/** Maximum length of a path of the service. */
const maxLength = 2_000;

/** Returns the URL after a login: the requested path of the service, or its front page. Never leaves the service. */
export function returnUrl(requested: string | null | undefined, publicUrl: string): string {
  const home = new URL('/', publicUrl);
  if (requested == null || requested.length > maxLength || !/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(requested))
    return home.href;
  if (!URL.canParse(requested, home.href)) return home.href;
  const found = new URL(requested, home);
  return found.origin === home.origin ? found.href : home.href;
}
