import { type Approval, type Deployment } from '../contract';
import { type Browser } from './browser';
import { type PageTransport, mayRepeat } from './page-transport';
import { sendAction, type Intention, intend } from './intention';
import { formatRoute } from './route';
import { type Question } from './state';
import { type StateStore } from './state-store';
import { type Visits } from './visits';

interface ConfirmParts {
  readonly browser: Browser;
  readonly exchange: PageTransport;
  readonly store: StateStore;
  readonly visits: Visits;
}

/** Does what the open question asks. What was not answered keeps its key until it is: it is done once. */
export function createConfirm({ browser, exchange, store, visits }: ConfirmParts): () => Promise<void> {
  let unanswered: Intention | undefined;
  return async () => {
    const { question } = store.get();
    if (!question || question.sending) return;
    const sent: Question = { ...question, sending: true, failed: undefined };
    store.set({ question: sent });
    const intention = intend(unanswered, question.path, question.body, question.keyed ? browser.newKey : undefined);
    unanswered = intention;
    const outcome = await sendAction<Deployment | Approval>(exchange, intention, browser.wait, browser.chance);
    const isOpen = store.get().question === sent;
    if (outcome.ok || !mayRepeat(outcome.failed)) unanswered = undefined;
    if (!outcome.ok) {
      const { failed } = outcome;
      if (failed.kind === 'signed-out') store.set({ connection: 'signed-out' });
      if (isOpen) store.set({ question: { ...sent, sending: false, failed } });
      return;
    }
    store.set({ announcement: question.done, ...(isOpen && { question: undefined }) });
    if (!('id' in outcome.value)) {
      store.set({ draft: { ...store.get().draft, approved: question.done } });
      return visits.preview(question.done);
    }
    visits.takeDeployment(outcome.value);
    if (isOpen) browser.go(formatRoute({ page: 'deployment', id: outcome.value.id }));
  };
}
