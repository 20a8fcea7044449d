import type { UiLanguage } from '@lyceum/contracts';

/** What the page of a course says, in one language. Text in braces is filled in. */
export interface CourseTexts {
  /** Back to the school's own page. */
  readonly all: string;
  readonly facts: string;
  readonly price: string;
  readonly seats: string;
  readonly few: string;
  readonly none: string;
  /** In place of the way to the checkout, where no seat is left. */
  readonly soldOut: string;
  readonly access: string;
  readonly forever: string;
  readonly days: string;
  readonly lessons: string;
  readonly duration: string;
  readonly level: string;
  readonly levels: Readonly<Record<string, string>>;
  readonly language: string;
  readonly certificate: string;
  readonly yes: string;
  readonly lecturers: string;
  readonly about: string;
  readonly outline: string;
  readonly preview: string;
  /** The way in for those who have an account. */
  readonly join: string;
}

/** The languages of the page: those of the pages for signing in. */
export const courseLanguages: Readonly<Record<UiLanguage, CourseTexts>> = {
  en: {
    all: 'All courses of {school}',
    facts: 'At a glance',
    price: 'Price',
    seats: 'Seats',
    few: 'Few left',
    none: 'None left',
    soldOut: 'Sold out',
    access: 'Access',
    forever: 'Without a time limit',
    days: '{count} days',
    lessons: 'Lessons',
    duration: 'Duration',
    level: 'Level',
    levels: { beginner: 'Beginner', intermediate: 'Intermediate', advanced: 'Advanced', any: 'For everyone' },
    language: 'Language',
    certificate: 'Certificate',
    yes: 'Yes, on completion',
    lecturers: 'Taught by',
    about: 'About the course',
    outline: 'What it covers',
    preview: 'Preview',
    join: 'You take the course in the program that you use with this school. Sign in there with your account.',
  },
  de: {
    all: 'Alle Kurse von {school}',
    facts: 'Auf einen Blick',
    price: 'Preis',
    seats: 'Plätze',
    few: 'Nur noch wenige',
    none: 'Keine mehr frei',
    soldOut: 'Ausgebucht',
    access: 'Zugang',
    forever: 'Ohne zeitliche Grenze',
    days: '{count} Tage',
    lessons: 'Lektionen',
    duration: 'Dauer',
    level: 'Niveau',
    levels: { beginner: 'Für Einsteiger', intermediate: 'Mittel', advanced: 'Fortgeschritten', any: 'Für alle' },
    language: 'Sprache',
    certificate: 'Zertifikat',
    yes: 'Ja, nach dem Abschluss',
    lecturers: 'Es unterrichten',
    about: 'Über den Kurs',
    outline: 'Inhalt',
    preview: 'Vorschau',
    join: 'Sie besuchen den Kurs in dem Programm, das Sie mit dieser Schule benutzen. Melden Sie sich dort mit Ihrem Konto an.',
  },
  pt: {
    all: 'Todos os cursos de {school}',
    facts: 'Em resumo',
    price: 'Preço',
    seats: 'Vagas',
    few: 'Restam poucas',
    none: 'Esgotadas',
    soldOut: 'Esgotado',
    access: 'Acesso',
    forever: 'Sem limite de tempo',
    days: '{count} dias',
    lessons: 'Aulas',
    duration: 'Duração',
    level: 'Nível',
    levels: { beginner: 'Iniciante', intermediate: 'Intermédio', advanced: 'Avançado', any: 'Para todos' },
    language: 'Língua',
    certificate: 'Certificado',
    yes: 'Sim, ao concluir',
    lecturers: 'Com',
    about: 'Sobre o curso',
    outline: 'Conteúdo',
    preview: 'Pré-visualização',
    join: 'O curso decorre no programa que usa com esta escola. Inicie sessão nele com a sua conta.',
  },
  ko: {
    all: '{school}의 모든 강좌',
    facts: '한눈에 보기',
    price: '가격',
    seats: '정원',
    few: '얼마 남지 않음',
    none: '마감',
    soldOut: '마감',
    access: '이용 기간',
    forever: '기간 제한 없음',
    days: '{count}일',
    lessons: '강의 수',
    duration: '총 시간',
    level: '수준',
    levels: { beginner: '입문', intermediate: '중급', advanced: '고급', any: '누구나' },
    language: '언어',
    certificate: '수료증',
    yes: '수료 시 발급',
    lecturers: '강사',
    about: '강좌 소개',
    outline: '강좌 내용',
    preview: '미리보기',
    join: '이 학교와 함께 사용하는 프로그램에서 강좌를 수강합니다. 그 프로그램에서 계정으로 로그인하세요.',
  },
};
