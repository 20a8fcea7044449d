import type { UiLanguage } from '@lyceum/contracts';
import type { Document } from '../../http/document.ts';
import type { School } from '../../routing/school.ts';
import type { Site } from '../metadata/oauth-metadata.ts';
import type { Absent } from '../pages/course-page-cache.ts';
import type { EventDetail, RegistrationDetail } from './event-detail.ts';
import { eventPage } from './event-page.ts';
import { registrationPage } from './registration-page.ts';

const eventPages = /^\/events\/([a-z0-9-]{3,80})$/;
const registrationPages = /^\/registrations\/([0-9A-Za-z_-]{1,120})$/;

/** Reads what the pages show; undefined where there is none. Rejects when it cannot be read. */
export interface CalendarReading {
  readonly eventOf: (school: School, slug: string) => Promise<EventDetail | undefined>;
  readonly registrationOf: (school: School, code: string) => Promise<RegistrationDetail | undefined>;
}

/** What a page is made from. */
interface Asked {
  readonly site: Site;
  readonly school: School;
  readonly language: UiLanguage;
}

/** Whether a path is that of the page of an event. */
export const isOfEvent = (path: string): boolean => eventPages.test(path);

/** Makes the page of an event or of a guest's registration; undefined at every other path. Never rejects. */
export function calendarPage(
  { eventOf, registrationOf }: CalendarReading,
  path: string,
  { site, school, language }: Asked,
): (() => Promise<Document | Absent>) | undefined {
  const [slug, code] = [eventPages.exec(path)?.[1], registrationPages.exec(path)?.[1]];
  if (slug === undefined && code === undefined) return undefined;
  return async () => {
    try {
      if (slug !== undefined) {
        const event = await eventOf(school, slug);
        return event ? eventPage(site, school, event, language) : 'missing';
      }
      const registration = await registrationOf(school, code ?? '');
      return registration ? registrationPage(site, school, { code: code ?? '', registration }, language) : 'missing';
    } catch {
      return 'unavailable';
    }
  };
}
