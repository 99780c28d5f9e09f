import { type RefusalFacts, Refusal } from '../refusal';

/** A refusal of the entrance itself, with headers that belong to its status. */
export class TurnedAway extends Refusal {
  constructor(
    status: number,
    facts: RefusalFacts,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(status, facts);
  }
}

/** Which bound was reached, as metrics and answers name it. */
export type Bound =
  'strangers' | 'reads' | 'writes' | 'underWay' | 'underWayOfCaller' | 'streams' | 'streamsOfCaller' | 'answerWithin';

const words: Readonly<Record<Bound, { readonly status: 429 | 503; readonly detail: string }>> = {
  strangers: { status: 429, detail: 'Too many requests came from unknown senders at this address.' },
  reads: { status: 429, detail: 'You send more requests than the service answers for one caller.' },
  writes: { status: 429, detail: 'You send more changes and checks than the service carries out for one caller.' },
  underWay: { status: 503, detail: 'The service has as many requests under way as it accepts.' },
  underWayOfCaller: { status: 429, detail: 'You have as many requests under way as one caller may have.' },
  streams: { status: 503, detail: 'The service has as many streams open as it accepts.' },
  streamsOfCaller: { status: 429, detail: 'You have as many streams open as one caller may have; close one.' },
  answerWithin: {
    status: 503,
    detail: 'The service had no answer ready in time; it may still carry out the request. Ask again.',
  },
};

/** Refused because a bound is reached. */
export class BoundReached extends TurnedAway {
  constructor(
    readonly bound: Bound,
    milliseconds: number,
  ) {
    const { status, detail } = words[bound];
    const title = status === 429 ? 'Too Many Requests' : 'Service Unavailable';
    super(status, { title, detail, retryAfter: Math.max(1, Math.ceil(milliseconds / 1000)) });
  }
}
