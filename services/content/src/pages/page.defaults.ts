import { type UiLanguage, uiLanguage } from '@lyceum/contracts';
import { type EventLog, execute } from '@lyceum/eventlog';
import { isRejection, isoTime, keysOf, uuidv5 } from '@lyceum/kernel';
import type { Reaction } from '@lyceum/service';
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

/** Gives every new school its home page, its terms and its privacy policy, in the language of the school. */
export const makingSystemPages: Reaction = {
  name: 'making-system-pages',
  source: 'school',
  events: ['SchoolProvisioned'],
  async perform({ tenant, data }, { log, clock }) {
    const language = uiLanguage({ school: (data as { locale?: string }).locale });
    const at = isoTime(clock.now());
    await Promise.all(keysOf(systemPages).map((kind) => createSystemPage(log, tenant, kind, { language, at })));
  },
};
