import type { UiLanguage } from '@lyceum/contracts';
import { BoundedMap } from '@lyceum/kernel';
import type { School } from '../../routing/school.ts';
import type { CourseDetail } from '../content/course-detail.ts';
import { coursePage } from './course-page.ts';
import type { Site } from '../metadata/oauth-metadata.ts';
import type { Document } from '../../http/document.ts';
import type { Offer } from '../content/offers.ts';

/** Pages that are kept, of all schools, in each language that was asked for. */
const mostKept = 300;

/** Why there is no page: nothing of that name is offered, or nobody can tell at the moment. */
export type Absent = 'missing' | 'unavailable';

/** What a page is made from. */
interface Asked {
  readonly site: Site;
  readonly school: School;
  /** What the school offers now; undefined when nobody can tell. */
  readonly offers: readonly Offer[] | undefined;
  readonly slug: string;
  readonly language: UiLanguage;
}

/**
 * The pages of the courses that schools offer. A page is read and made when it is first asked for after the offers were
 * read: so a course costs one reading for each reading of the offers, however many people look, and a name that is not
 * offered costs none.
 */
export class CoursePageCache {
  readonly #read: (school: School, offer: Offer) => Promise<CourseDetail>;
  readonly #kept = new BoundedMap<string, { readonly of: object; readonly page: Promise<Document | Absent> }>(mostKept);
  /** Stands for a reading of offers, so that what was made of it does not keep all of them. */
  readonly #readings = new WeakMap<readonly Offer[], object>();

  constructor(read: (school: School, offer: Offer) => Promise<CourseDetail>) {
    this.#read = read;
  }

  /** The page of a course, or why there is none. Never rejects. */
  async at(asked: Asked): Promise<Document | Absent> {
    const { school, offers, slug, language } = asked;
    if (!offers) return 'unavailable';
    const offer = offers.find((each) => each.kind === 'course' && each.slug === slug);
    if (!offer) return 'missing';
    const key = `${school.id} ${language} ${slug}`;
    const of = this.#readingOf(offers);
    const known = this.#kept.get(key);
    if (known?.of === of) return known.page;
    const page = this.#make(asked, offer);
    this.#kept.set(key, { of, page });
    if ((await page) === 'unavailable') this.#kept.delete(key);
    return page;
  }

  #readingOf(offers: readonly Offer[]): object {
    const reading = this.#readings.get(offers) ?? {};
    this.#readings.set(offers, reading);
    return reading;
  }

  async #make({ site, school, language }: Asked, offer: Offer): Promise<Document | Absent> {
    try {
      return coursePage(site, school, { offer, course: await this.#read(school, offer) }, language);
    } catch {
      return 'unavailable';
    }
  }
}
