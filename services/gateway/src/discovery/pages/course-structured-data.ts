import type { CourseDetail } from '../content/course-detail.ts';
import type { Site } from '../metadata/oauth-metadata.ts';
import { decimal } from '../text/money.ts';
import { type Offer, isSoldOut } from '../content/offers.ts';

const hours = (seconds: number): string => `PT${Math.max(1, Math.round(seconds / 60))}M`;

const priced = (offer: Offer, url: string) => {
  const { access, prices } = offer;
  const availability = `https://schema.org/${isSoldOut(offer) ? 'SoldOut' : 'InStock'}`;
  const offered = { '@type': 'Offer', url, availability } as const;
  if (access === 'free' || access === 'open') return [{ ...offered, category: 'Free', price: '0' }];
  return prices.map((price) => ({
    ...offered,
    category: 'Paid',
    price: decimal(price),
    priceCurrency: price.currency,
  }));
};

/**
 * A course in the vocabulary of search engines, as it may stand in a script element: nothing in it can end the element.
 * @see https://schema.org/Course
 */
export function courseData({ name, baseUrl }: Site, url: string, offer: Offer, course: CourseDetail): string {
  const { summary, subtitle, language, lecturers, duration_s: seconds } = course;
  const about = summary ?? subtitle;
  const instance = {
    '@type': 'CourseInstance',
    courseMode: 'Online',
    ...(seconds > 0 ? { courseWorkload: hours(seconds) } : {}),
    ...(lecturers.length > 0
      ? { instructor: lecturers.map((person) => ({ '@type': 'Person', name: person.display_name })) }
      : {}),
  };
  const offers = priced(offer, url);
  const data = {
    '@context': 'https://schema.org',
    '@type': 'Course',
    name: course.title,
    url,
    ...(about ? { description: about } : {}),
    ...(language ? { inLanguage: language } : {}),
    provider: { '@type': 'Organization', name, url: `${baseUrl}/` },
    ...(offers.length > 0 ? { offers } : {}),
    hasCourseInstance: [instance],
  };
  return JSON.stringify(data).replaceAll('<', '\\u003c');
}
