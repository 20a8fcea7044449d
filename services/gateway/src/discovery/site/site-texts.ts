import type { UiLanguage } from '@lyceum/contracts';

/** What the site of a school says in a language, beside what the school says itself. Text in braces is filled in. */
export interface SiteTexts {
  readonly home: string;
  readonly posts: string;
  readonly navigation: string;
  readonly terms: string;
  readonly privacy: string;
  readonly noPosts: string;
  /** `{name}` is the author. */
  readonly by: string;
  readonly forMembers: string;
  readonly forPlans: string;
  readonly readInProgram: string;
  readonly feed: string;
}

/** The languages of the site. */
export const siteLanguages: Readonly<Record<UiLanguage, SiteTexts>> = {
  en: {
    home: 'Home',
    posts: 'Posts',
    navigation: 'Pages of the school',
    terms: 'Terms',
    privacy: 'Privacy policy',
    noPosts: 'Nothing is published yet.',
    by: 'By {name}',
    forMembers: 'This post is for members of the school.',
    forPlans: 'This post is for those who have a membership plan.',
    readInProgram: 'You read it in the program that you use with this school, once you have signed in there.',
    feed: 'Subscribe to the feed',
  },
  de: {
    home: 'Startseite',
    posts: 'Beiträge',
    navigation: 'Seiten der Schule',
    terms: 'Geschäftsbedingungen',
    privacy: 'Datenschutz',
    noPosts: 'Noch ist nichts veröffentlicht.',
    by: 'Von {name}',
    forMembers: 'Dieser Beitrag ist für Mitglieder der Schule.',
    forPlans: 'Dieser Beitrag ist für alle mit einer Mitgliedschaft.',
    readInProgram:
      'Sie lesen ihn in dem Programm, das Sie mit dieser Schule benutzen, sobald Sie dort angemeldet sind.',
    feed: 'Feed abonnieren',
  },
  pt: {
    home: 'Início',
    posts: 'Artigos',
    navigation: 'Páginas da escola',
    terms: 'Termos',
    privacy: 'Política de privacidade',
    noPosts: 'Ainda não há nada publicado.',
    by: 'Por {name}',
    forMembers: 'Este artigo é para membros da escola.',
    forPlans: 'Este artigo é para quem tem um plano de membro.',
    readInProgram: 'Lê-se no programa que usa com esta escola, depois de aí iniciar sessão.',
    feed: 'Subscrever o feed',
  },
  ko: {
    home: '홈',
    posts: '글',
    navigation: '학교 페이지',
    terms: '이용약관',
    privacy: '개인정보 처리방침',
    noPosts: '아직 공개된 글이 없습니다.',
    by: '글쓴이 {name}',
    forMembers: '학교 회원을 위한 글입니다.',
    forPlans: '멤버십 이용자를 위한 글입니다.',
    readInProgram: '이 학교와 함께 사용하는 프로그램에서 로그인하면 읽을 수 있습니다.',
    feed: '피드 구독',
  },
};
