import { bdi, h, type VNode } from '../dom/vnode';
import { type StatusLabel } from '../format/labels';
import { formatRoute, type Route, signInUrl } from '../state/route';
import { type Actions, type State } from '../state/state';
import { type ConnectionState } from '../transport/connection';
import { confirmDialog } from './confirm-dialog';

const connectionLabels: Readonly<Record<ConnectionState, StatusLabel>> = {
  connecting: { text: 'Connecting', tone: 'progress' },
  live: { text: 'Live', tone: 'success' },
  reconnecting: { text: 'Reconnecting', tone: 'warning' },
  'signed-out': { text: 'Signed out', tone: 'error' },
  ended: { text: 'Disconnected', tone: 'error' },
};

const navLinks: readonly { readonly text: string; readonly route: Route; readonly pages: readonly Route['page'][] }[] =
  [
    { text: 'Overview', route: { page: 'overview' }, pages: ['overview'] },
    { text: 'Workloads', route: { page: 'workloads', filter: {} }, pages: ['workloads', 'workload'] },
    { text: 'Deployments', route: { page: 'deployments', filter: {} }, pages: ['deployments', 'deployment'] },
    { text: 'Deploy', route: { page: 'deploy', selection: {} }, pages: ['deploy', 'rollback'] },
    { text: 'Rollouts', route: { page: 'rollouts' }, pages: ['rollouts'] },
    { text: 'Clients', route: { page: 'clients' }, pages: ['clients'] },
  ];

/** Returns a view within header, banners and dialog. */
export function pageLayout(state: State, view: VNode, actions: Actions): VNode {
  return h(
    'div',
    { class: `frame at-${state.route.page}` },
    h('button', { type: 'button', class: 'skip', on: { click: () => actions.focus('title') } }, 'Skip to content'),
    h(
      'header',
      { class: 'head' },
      h('a', { class: 'brand', href: formatRoute({ page: 'overview' }) }, 'pinion'),
      h(
        'nav',
        { 'aria-label': 'Main' },
        h(
          'ul',
          {},
          navLinks.map(({ text, route, pages }) =>
            h(
              'li',
              {},
              h(
                'a',
                { href: formatRoute(route), 'aria-current': pages.includes(state.route.page) ? 'page' : undefined },
                text,
              ),
            ),
          ),
        ),
      ),
      h(
        'div',
        { class: 'account' },
        h('span', { id: 'connection' }, connection(state.connection)),
        state.caller && h('span', { class: 'caller muted', title: state.caller.issuer }, bdi(state.caller.subject)),
        state.caller && state.connection !== 'signed-out' && signOutButton(state, actions),
      ),
    ),
    state.signingOut === 'failed' &&
      h(
        'p',
        { class: 'banner', role: 'alert', key: 'sign-out-failed' },
        'Sign-out failed: you are still signed in. Try again, or close the browser.',
      ),
    state.connection === 'signed-out' &&
      state.caller &&
      h(
        'p',
        { class: 'banner', role: 'alert', key: 'signed-out' },
        'You are signed out. The data shown may be out of date. ',
        h('a', { href: signInUrl(state.route), id: 'sign-in' }, 'Sign in'),
      ),
    h('main', { id: 'main', key: 'main' }, needsSignIn(state) ? signInView(state) : view),
    h('div', { class: 'visually-hidden', role: 'status', id: 'announcement', key: 'announcement' }, state.announcement),
    state.confirmation && confirmDialog(state.confirmation, actions),
  );
}

const signOutButton = ({ signingOut }: State, actions: Actions): VNode =>
  h(
    'button',
    {
      type: 'button',
      id: 'sign-out',
      class: 'link',
      'aria-disabled': signingOut === 'sending' ? 'true' : undefined,
      on: { click: actions.signOut },
    },
    signingOut === 'sending' ? 'Signing out…' : 'Sign out',
  );

/** Returns whether no user has signed in since the page was opened, so there is nothing to show. */
const needsSignIn = ({ connection, caller }: State): boolean => connection === 'signed-out' && !caller;

const signInView = ({ route }: State): VNode =>
  h(
    'div',
    { class: 'view', key: 'sign-in' },
    h('h1', { id: 'title', tabindex: -1 }, 'You are not signed in'),
    h('p', {}, 'Sign in to see your projects and deploy their published versions.'),
    h('p', {}, h('a', { href: signInUrl(route), id: 'sign-in', class: 'button' }, 'Sign in')),
  );

const connection = (state: ConnectionState): VNode => {
  const { text, tone } = connectionLabels[state];
  return h('span', { class: `badge ${tone}`, 'data-connection': state }, text);
};

/** Returns the view for an unknown URL. */
export const notFoundView = (): VNode =>
  h(
    'div',
    { class: 'view', key: 'not-found' },
    h('h1', { id: 'title', tabindex: -1 }, 'Page not found'),
    h(
      'p',
      {},
      'This address does not exist. ',
      h('a', { href: formatRoute({ page: 'overview' }) }, 'Go to the overview'),
    ),
  );
