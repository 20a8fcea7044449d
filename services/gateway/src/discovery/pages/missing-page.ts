import { type UiLanguage, uiLanguage } from '@lyceum/contracts';
import type { School } from '../../routing/school.ts';
import { htmlText } from '../text/html-text.ts';
import { pageShell } from './page-shell.ts';

interface MissingTexts {
  readonly page: readonly [title: string, about: string];
  readonly school: readonly [title: string, about: string];
  readonly unavailable: readonly [title: string, about: string];
  readonly suspended: readonly [title: string, about: string];
  readonly closed: readonly [title: string, about: string];
  /** `{school}` is the name of the school. */
  readonly onward: string;
  readonly request: string;
}

const texts: Readonly<Record<UiLanguage, MissingTexts>> = {
  en: {
    page: ['There is no such page', 'Check the address, or begin at the school’s own page.'],
    school: ['There is no school at this address', 'Check the address, or ask the school for its new one.'],
    unavailable: ['Not available at the moment', 'Try again in a few seconds.'],
    suspended: ['This school is not open at the moment', 'Ask the school when it opens again.'],
    closed: ['This school is closed', 'It does not open again.'],
    onward: 'Go to {school}',
    request: 'Request',
  },
  de: {
    page: ['Diese Seite gibt es nicht', 'Prüfen Sie die Adresse, oder beginnen Sie auf der Seite der Schule.'],
    school: ['Unter dieser Adresse gibt es keine Schule', 'Prüfen Sie die Adresse, oder fragen Sie die Schule danach.'],
    unavailable: ['Im Moment nicht verfügbar', 'Versuchen Sie es in einigen Sekunden noch einmal.'],
    suspended: ['Diese Schule ist im Moment nicht geöffnet', 'Fragen Sie die Schule, wann sie wieder öffnet.'],
    closed: ['Diese Schule ist geschlossen', 'Sie öffnet nicht wieder.'],
    onward: 'Zu {school}',
    request: 'Anfrage',
  },
  pt: {
    page: ['Esta página não existe', 'Confira o endereço ou comece pela página da escola.'],
    school: ['Não há nenhuma escola neste endereço', 'Confira o endereço ou pergunte à escola qual é o novo.'],
    unavailable: ['Indisponível no momento', 'Tente novamente em alguns segundos.'],
    suspended: ['Esta escola não está aberta no momento', 'Pergunte à escola quando volta a abrir.'],
    closed: ['Esta escola está fechada', 'Ela não voltará a abrir.'],
    onward: 'Ir para {school}',
    request: 'Pedido',
  },
  ko: {
    page: ['페이지를 찾을 수 없습니다', '주소를 확인하거나 학교 홈페이지에서 시작하세요.'],
    school: ['이 주소에는 학교가 없습니다', '주소를 확인하거나 학교에 새 주소를 문의하세요.'],
    unavailable: ['지금은 이용할 수 없습니다', '몇 초 후에 다시 시도하세요.'],
    suspended: ['이 학교는 지금 운영되지 않습니다', '자세한 내용은 학교에 문의하세요.'],
    closed: ['이 학교는 문을 닫았습니다', '다시 열리지 않습니다.'],
    onward: '{school} 홈으로 이동',
    request: '요청',
  },
};

/** What there is nothing of. */
export interface Missing {
  readonly what: 'page' | 'school' | 'unavailable' | 'suspended' | 'closed';
  readonly school: Pick<School, 'name' | 'look' | 'language'> | undefined;
  /** `Accept-Language` of the reader. */
  readonly languages: string | undefined;
  readonly requestId: string;
}

/** The page of a person's browser where there is nothing. It repeats nothing of the address, and has no script. */
export function missingPage({ what, school, languages, requestId }: Missing): {
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
} {
  const language = uiLanguage({ accepted: languages, school: school?.language });
  const said = texts[language];
  const [title, about] = said[what];
  const name = school && `<bdi>${htmlText(school.name)}</bdi>`;
  const onward =
    name && what !== 'suspended' && what !== 'closed'
      ? `<p><a class="button" href="/">${said.onward.replace('{school}', () => name)}</a></p>\n`
      : '';
  const body = `<header><div>
<h1>${title}</h1>
<p>${about}</p>
</div></header>
<main id="main">
<section class="help">
${onward}<p>${said.request}: <code>${htmlText(requestId)}</code></p>
</section>
</main>`;
  const head = '<meta name="robots" content="noindex">\n';
  const { html, policy } = pageShell(school?.look, { language, title, head, body });
  const type = { 'Content-Type': 'text/html; charset=utf-8', 'Cross-Origin-Opener-Policy': 'same-origin' };
  return { html, headers: { ...type, ...policy } };
}
