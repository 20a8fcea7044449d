import { type UiLanguage, uiLanguage } from '@lyceum/contracts';
import type { Collection } from '@lyceum/documents';
import { type EventLog, execute } from '@lyceum/eventlog';
import { isRejection, isoTime, keysOf, uuidv5 } from '@lyceum/kernel';
import type { Operation, Ports } from '@lyceum/web';
import { arrived } from '../schools/arrived.ts';
import { noSeo } from './page.schema.ts';
import { type SystemPage, systemPages } from './page.slugs.ts';
import type { PageState } from './page.state.ts';
import { pageDecider } from './page.ts';

const titles: Readonly<Record<UiLanguage, Readonly<Record<SystemPage, string>>>> = {
  en: { home: 'Home', terms: 'Terms', privacy: 'Privacy policy' },
  de: { home: 'Startseite', terms: 'Geschäftsbedingungen', privacy: 'Datenschutz' },
  pt: { home: 'Início', terms: 'Termos', privacy: 'Política de privacidade' },
  ko: { home: '홈', terms: '이용약관', privacy: '개인정보 처리방침' },
};

/** The id of a page that every school has: the same however often it is made. */
export const systemPageId = (school: string, kind: SystemPage): string => `page_${uuidv5('system-page', school, kind)}`;

/**
 * Makes a page that every school has, as an empty draft, unless it is there. `at`: RFC 3339 UTC. Undefined where it came with
 * the school from another installation.
 */
export async function createSystemPage(
  log: EventLog,
  tenant: string,
  kind: SystemPage,
  { language, at }: { readonly language: UiLanguage; readonly at: string },
): Promise<PageState | undefined> {
  const id = systemPageId(tenant, kind);
  const done = await execute(log, pageDecider, {
    tenant,
    stream: id,
    command: {
      type: 'CreatePage',
      id,
      slug: systemPages[kind],
      kind,
      content: { title: titles[language][kind], blocks: [], seo: noSeo },
      by: 'system',
    },
    at,
    meta: { actor: 'system' },
    commitId: uuidv5('system-page-made', tenant, kind),
  });
  if (!isRejection(done)) return done.state;
  if (done.rejected !== 'invalid_state') throw new Error(done.reason);
  return undefined;
}

/** Milliseconds that the read model of pages is waited for when they were just made. */
const patience = 1_000;

/**
 * Gives a school its home page, its terms and its privacy policy, in its language, before the first thing that its staff do
 * with pages: a school that nobody uses has none. The home page is made last, so that where it is, all are.
 */
async function makeSystemPages(pages: Collection, school: string, ports: Ports): Promise<void> {
  const { documents, log, clock } = ports;
  if (await documents.get(pages, school, systemPageId(school, 'home'))) return;
  const { locale } = await arrived(school, ports);
  const made = { language: uiLanguage({ school: locale }), at: isoTime(clock.now()) };
  const { home, ...others } = systemPages;
  for (const kinds of [others, { home }])
    await Promise.all(keysOf(kinds).map((kind) => createSystemPage(log, school, kind, made)));
  const lane = log.laneOf(school);
  await documents.waitFor(pages, 'content', lane, await log.head(lane), patience);
}

/** An operation on pages, of a school that has those that every school has once its staff look. `pages`: their read model. */
export const afterSystemPages = (pages: Collection, operation: Operation): Operation => ({
  ...operation,
  async handle(call, ports) {
    if (call.view === 'staff') await makeSystemPages(pages, call.school, ports);
    return operation.handle(call, ports);
  },
});
