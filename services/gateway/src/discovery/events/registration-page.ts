import type { UiLanguage } from '@lyceum/contracts';
import { type Document, document } from '../../http/document.ts';
import type { School } from '../../routing/school.ts';
import { landingLanguages } from '../content/landing-texts.ts';
import type { Site } from '../metadata/oauth-metadata.ts';
import { pageShell } from '../pages/page-shell.ts';
import { htmlText } from '../text/html-text.ts';
import type { RegistrationDetail } from './event-detail.ts';
import { eventFrame, factList, placeOf, spanOf } from './event-facts.ts';
import { eventLanguages } from './event-texts.ts';

/** The page of a guest's registration: whoever has its link sees and cancels it, by a button without a script. */
export function registrationPage(
  site: Site,
  { look }: Pick<School, 'look'>,
  { code, registration }: { readonly code: string; readonly registration: RegistrationDetail },
  language: UiLanguage,
): Document {
  const said = eventLanguages[language];
  const { skip } = landingLanguages[language];
  const { status, waitlist_position, may_cancel, event, join_url } = registration;
  const place =
    waitlist_position === null ? '' : `<p>${said.position.replace('{count}', String(waitlist_position))}</p>\n`;
  const joining =
    join_url === null
      ? ''
      : `<a class="button primary" rel="noopener noreferrer" href="${htmlText(join_url)}">${said.takePart}</a> `;
  const canceling = may_cancel
    ? `<form method="post" action="${htmlText(`/registrations/${code}/cancel`)}"><p class="buttons"><button class="button" type="submit">${said.cancel}</button></p></form>\n`
    : '';
  const rows = [
    [said.when, spanOf(event, language)],
    [said.where, placeOf(event, said)],
  ] as const;
  const main = `<section aria-labelledby="registration"><h2 id="registration">${said.registration}</h2>
<p role="status"><strong>${said.statuses[status] ?? htmlText(status)}</strong></p>
${place}${factList(rows)}<p class="buttons">${joining}<a class="button" href="${htmlText(`/events/${event.slug}`)}">${said.toEvent}</a></p>
${canceling}</section>
`;
  const { html, policy } = pageShell(look, {
    language,
    title: `${said.registration} · ${htmlText(site.name)}`,
    head: '<meta name="robots" content="noindex">\n<meta name="referrer" content="no-referrer">\n',
    body: eventFrame(site, said, skip, event.title, '', main),
  });
  const withForm = {
    'Content-Security-Policy': policy['Content-Security-Policy']!.replace("form-action 'none'", "form-action 'self'"),
  };
  return document('text/html; charset=utf-8', html, {
    vary: 'Accept, Accept-Language',
    cache: 'no-store',
    headers: withForm,
  });
}
