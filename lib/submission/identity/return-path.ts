/** Maximum length of a path of the service. */
const longest = 2_000;

/** Returns the URL after a login: the requested path of the service, or its front page. Never leaves the service. */
export function returnUrl(wanted: string | null | undefined, publicUrl: string): string {
  const home = new URL('/', publicUrl);
  if (wanted == null || wanted.length > longest || !/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(wanted)) return home.href;
  if (!URL.canParse(wanted, home.href)) return home.href;
  const found = new URL(wanted, home);
  return found.origin === home.origin ? found.href : home.href;
}
