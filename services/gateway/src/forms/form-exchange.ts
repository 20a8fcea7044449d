import { type UiLanguage, uiLanguage } from '@lyceum/contracts';
import type { CheckoutAnswer as PageAnswer } from '../checkout/checkout-exchange.ts';
import { type Missing, missingPage } from '../discovery/pages/missing-page.ts';
import type { PageRequest } from '../http/page-endpoint.ts';
import { type Api, type ClientOf, apiOf, unknownCaller } from '../upstream/school-api.ts';

/** The API as anybody has it, from the address of the browser: that is what is counted. */
export const apiFor = (clientOf: ClientOf, { request, school, requestId }: PageRequest): Api =>
  apiOf(clientOf, unknownCaller(request, { school, requestId, path: '' }));

/** The language in which the reader of a request reads. */
export const languageOf = ({ request: { headers }, school }: PageRequest): UiLanguage =>
  uiLanguage({ accepted: headers['accept-language'], school: school.language });

/** That there is nothing, as a page of the school. */
export function missing(
  { request, school, requestId }: PageRequest,
  what: Missing['what'],
  status: number,
): PageAnswer {
  const page = missingPage({ what, school, languages: request.headers['accept-language'], requestId });
  return { status, page: { ...page, headers: { ...page.headers, 'Cache-Control': 'no-store' } } };
}
