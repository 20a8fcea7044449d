import type { Upstream } from '@lyceum/internal-api';
import { Problem } from '@lyceum/web';
import { type CheckoutAnswer as PageAnswer, formOf, writeAnswer } from '../checkout/checkout-exchange.ts';
import { type PageEndpointOptions, type PageRequest, pageEndpoint } from '../http/page-endpoint.ts';
import type { ClientOf } from '../upstream/school-api.ts';
import { apiFor, languageOf, missing } from './form-exchange.ts';
import { formPath } from './form-html.ts';
import { formPage, sentPage } from './form-pages.ts';
import { readForm, sendForm } from './form-sending.ts';
import { answerRegistering, registeringPlace } from './registering/registration-endpoint.ts';

/** What the forms of the school's pages work with. */
export interface FormOptions extends PageEndpointOptions {
  readonly clientOf: ClientOf;
  readonly logger: PageEndpointOptions['logger'] & { error(line: object, message: string): void };
}

const place = /^\/forms\/(form_[0-9a-f-]{36})(\/sent)?$/;

/** Largest form, bytes: answers of 64 KiB, each sign as three characters. */
const largest = 200 * 1024;

/** Shows a form, or takes what a browser sends by it: then the browser is led to a page that may be loaded again. */
async function answer(clientOf: ClientOf, asked: PageRequest, id: string, isSent: boolean): Promise<PageAnswer> {
  const { request, school } = asked;
  const api = apiFor(clientOf, asked);
  const found = await readForm(api, id);
  if (!found) return missing(asked, 'page', 404);
  const { form, message } = found;
  const reader = { school, language: languageOf(asked) };
  if (isSent) return { status: 200, page: sentPage(reader, message) };
  if (request.method !== 'POST') return { status: 200, page: formPage(reader, form, {}) };
  const typed = await formOf(request, largest);
  if (!typed) return { status: 400, page: formPage(reader, form, { why: 'changed' }) };
  const outcome = await sendForm(api, form, typed);
  switch (outcome.is) {
    case 'sent':
      return { status: 303, location: `${formPath(id)}/sent` };
    case 'gone':
      return missing(asked, 'page', 404);
    case 'refused': {
      const { problems } = outcome;
      const why = problems.size > 0 ? 'problems' : 'changed';
      return { status: 422, page: formPage(reader, form, { typed, problems, why }) };
    }
    case 'failed': {
      const { status, wait } = outcome;
      const why = status === 429 ? 'tooOften' : 'unavailable';
      return { status, wait, page: formPage(reader, form, { typed, why }) };
    }
  }
}

/**
 * The forms of every school for browsers without scripts, behind the edge: `/forms/{form}` shows one alone and takes it,
 * whichever page it stands on; at `/register/{event}` guests register for an event. What is sent is sent by the operation of the API, for nobody: no cookie is looked at.
 */
export const openForms = (options: FormOptions): Pick<Upstream, 'forward'> =>
  pageEndpoint<PageAnswer>(options, {
    routeOf: (path) => {
      if (registeringPlace(path)) return '/register/{event}';
      const [, id, sent = ''] = place.exec(path) ?? [];
      return id === undefined ? undefined : `/forms/{form}${sent}`;
    },
    async answer(asked) {
      const { school, path, requestId } = asked;
      if (school.closure) return missing(asked, school.closure, school.closure === 'closed' ? 410 : 503);
      const [, id, sent] = place.exec(path) ?? [];
      const registering = registeringPlace(path);
      try {
        if (registering) return await answerRegistering(options.clientOf, asked, registering);
        if (id === undefined) return missing(asked, 'page', 404);
        return await answer(options.clientOf, asked, id, sent !== undefined);
      } catch (error) {
        if (error instanceof Problem && error.code === 'payload_too_large')
          return { ...missing(asked, 'page', 413), close: true };
        options.logger.error({ err: error, request_id: requestId }, 'a form of a page waits for a service');
        return { ...missing(asked, 'unavailable', 503), wait: 5 };
      }
    },
    write: writeAnswer,
  });
