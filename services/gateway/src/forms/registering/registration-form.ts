import type { EventDetail } from '../../discovery/events/event-detail.ts';
import { eventLanguages } from '../../discovery/events/event-texts.ts';
import { type FormShowing, type SentForm, sentFormHtml } from '../form-html.ts';

/** Where guests register for an event, which is shown there alone, too. */
export const registeringPath = (slug: string): string => `/register/${slug}`;

/** What is known of an event where guests register for it. */
export type Registrable = Pick<EventDetail, 'slug' | 'status' | 'registration' | 'price'>;

/** Whether guests register for an event here, or for its waitlist: it costs nothing, and it is not too late. */
export const takesGuests = ({ status, registration, price }: Registrable): boolean =>
  status === 'published' && price === null && (registration === 'open' || registration === 'waitlist');

/** The longest name, and the longest address, as the API takes them. */
const [longestName, longestAddress] = [200, 254];

/** What guests tell of themselves. */
function guestForm(
  { slug, registration }: Registrable,
  { language }: Pick<FormShowing, 'language'>,
): SentForm & { readonly button: string } {
  const said = eventLanguages[language];
  return {
    action: registeringPath(slug),
    button: registration === 'waitlist' ? said.joinWaitlist : said.register,
    fields: [
      { key: 'name', label: said.name, type: 'text', required: false, max: longestName },
      { key: 'email', label: said.email, type: 'email', required: true, max: longestAddress },
    ],
  };
}

/** The part of a page by which guests register for an event; nothing where they cannot. */
export function registrationSection(
  event: Registrable,
  showing: Pick<FormShowing, 'language' | 'typed' | 'problems'>,
): string {
  if (!takesGuests(event)) return '';
  const said = eventLanguages[showing.language];
  const form = guestForm(event, showing);
  return `<section class="form" aria-labelledby="register"><h2 id="register">${form.button}</h2>
<p>${said.guests}</p>
${sentFormHtml(form, { ...showing, prefix: 'r-' })}
<p>${said.join}</p>
</section>
`;
}
