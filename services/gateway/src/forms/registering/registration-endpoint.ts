import { type CheckoutAnswer as PageAnswer, formOf } from '../../checkout/checkout-exchange.ts';
import { readEvent } from '../../discovery/events/event-detail.ts';
import type { PageRequest } from '../../http/page-endpoint.ts';
import type { ClientOf } from '../../upstream/school-api.ts';
import { apiFor, languageOf, missing } from '../form-exchange.ts';
import { registeringPath } from './registration-form.ts';
import { closedFor, closedPage, guestFormPage, registeredPage } from './registration-form-pages.ts';
import { type Outcome, outcomes, registerGuest } from './registration-sending.ts';

const place = /^\/register\/([a-z0-9-]{3,80})(?:\/([a-z]{1,20}))?$/;

/** The event that a path registers for, and what came of it. */
export interface RegisteringPlace {
  readonly slug: string;
  readonly outcome: Outcome | undefined;
}

/** What a path is about; undefined when it has nothing to do with registering. */
export function registeringPlace(path: string): RegisteringPlace | undefined {
  const [, slug, last] = place.exec(path) ?? [];
  const outcome = outcomes.find((each) => each === last);
  return slug === undefined || (last !== undefined && !outcome) ? undefined : { slug, outcome };
}

/** Shows the form for an event, or takes what a guest sends by it: then the browser is led to a page that may be loaded again. */
export async function answerRegistering(
  clientOf: ClientOf,
  asked: PageRequest,
  { slug, outcome }: RegisteringPlace,
): Promise<PageAnswer> {
  const { request, school } = asked;
  const api = apiFor(clientOf, asked);
  const event = await readEvent(api, slug);
  if (!event) return missing(asked, 'page', 404);
  const language = languageOf(asked);
  const reader = { school, language };
  if (outcome) return { status: 200, page: registeredPage(reader, event, outcome) };
  const closed = closedFor(event);
  if (closed) return { status: request.method === 'POST' ? 409 : 200, page: closedPage(reader, event, closed) };
  if (request.method !== 'POST') return { status: 200, page: guestFormPage(reader, event) };
  const typed = await formOf(request);
  if (!typed) return { status: 400, page: guestFormPage(reader, event, { why: 'changed' }) };
  const became = await registerGuest(api, event, { sent: typed, language });
  switch (became.is) {
    case 'registered':
      return { status: 303, location: `${registeringPath(event.slug)}/${became.outcome}` };
    case 'gone':
      return missing(asked, 'page', 404);
    case 'trapped':
      return { status: 422, page: guestFormPage(reader, event, { typed, why: 'changed' }) };
    case 'refused': {
      const { problems } = became;
      return { status: 422, page: guestFormPage(reader, event, { typed, problems, why: 'problems' }) };
    }
    case 'failed': {
      const { status, wait } = became;
      const why = status === 429 ? 'tooOften' : 'unavailable';
      return { status, wait, page: guestFormPage(reader, event, { typed, why }) };
    }
    default:
      return { status: 409, page: closedPage(reader, event, became.is) };
  }
}
