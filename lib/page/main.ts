import { startApp } from './app';
import { type Browser } from './browser';
import { createPatcher } from './dom/patcher';
import { openStream } from './transport/open-stream';

const container = document.getElementById('page');
if (!container) throw new Error('index.html has no element with the id page');

const browser: Browser = {
  send: (path, request) => fetch(path, { ...request, credentials: 'same-origin', cache: 'no-store' }),
  openStream,
  now: () => Date.now(),
  newIdempotencyKey: () =>
    Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(''),
  random: () => Math.random(),
  wait: (milliseconds) =>
    new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        window.removeEventListener('online', end);
        resolve();
      };
      const timer = setTimeout(end, milliseconds);
      window.addEventListener('online', end);
    }),
  show: createPatcher(container),
  report: reportError,
  beforePaint: (callback) => void requestAnimationFrame(callback),
  hash: () => window.location.hash,
  go: (hash) => window.location.assign(hash),
  replace: (hash) => window.history.replaceState(undefined, '', hash),
  onHash: (callback) => window.addEventListener('hashchange', callback),
  onKey: (callback) =>
    document.addEventListener('keydown', (event) => {
      const target = event.target;
      if (target instanceof Element && target.closest('input, textarea, select, dialog')) return;
      callback({
        key: event.key,
        modified: event.ctrlKey || event.altKey || event.metaKey,
        prevent: () => event.preventDefault(),
      });
    }),
  focus: (id) => document.getElementById(id)?.focus(),
  scroll: (id, top) => document.getElementById(id)?.scrollTo({ top }),
  scrollToTop: () => window.scrollTo({ top: 0 }),
  reload: () => window.location.reload(),
  setTitle: (text) => {
    if (document.title !== text) document.title = text;
  },
};

startApp(browser);

// Without an export the bundler would treat this file as CommonJS and wrap its modules.
// oxlint-disable-next-line typescript/no-useless-empty-export
export {};
