import { type Browser } from './browser';
import { type StateStore } from './state-store';

/** Ends the session in this browser. The page then reloads, so that nothing of its content remains. */
export async function signOut({
  browser,
  store,
}: {
  readonly browser: Browser;
  readonly store: StateStore;
}): Promise<void> {
  if (store.get().signingOut === 'sending') return;
  store.set({ signingOut: 'sending' });
  try {
    // It answers by a redirect to the page itself, whose text is not read.
    const answer = await browser.send('/logout', { method: 'POST', headers: {} });
    if (answer.ok) return browser.reload();
  } catch {
    // No response arrived: the user is notified below.
  }
  store.set({ signingOut: 'failed' });
}
