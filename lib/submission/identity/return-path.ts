/** Longer than any path of the service. */
const longest = 2_000;

/** Where a browser goes after it has logged in: the place of the service that it wanted, or its front page. Never leads elsewhere. */
export function returnUrl(wanted: string | null | undefined, publicUrl: string): string {
  const home = new URL('/', publicUrl);
  if (wanted == null || wanted.length > longest || !/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(wanted)) return home.href;
  if (!URL.canParse(wanted, home.href)) return home.href;
  const found = new URL(wanted, home);
  return found.origin === home.origin ? found.href : home.href;
}
