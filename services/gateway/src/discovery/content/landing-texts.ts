import type { UiLanguage } from '@lyceum/contracts';

/** A link of the landing page: its name, and what is there. */
type Place = readonly [title: string, about: string];

/** What the landing page says, in one language. Text in braces is filled in. */
export interface LandingTexts {
  readonly lang: UiLanguage;
  readonly skip: string;
  readonly lead: string;
  readonly courses: string;
  readonly events: string;
  /** The calendar to subscribe to. */
  readonly calendar: string;
  readonly unknown: string;
  readonly nothing: string;
  readonly all: string;
  readonly buy: string;
  readonly subscribe: string;
  readonly signingIn: string;
  /** `{host}` is where the page for signing in is. */
  readonly signInFrom: string;
  /** What the pages of one’s own account show. */
  readonly yourAccount: string;
  readonly signIn: string;
  readonly createAccount: string;
  readonly programs: string;
  readonly reference: Place;
  readonly guide: Place;
  readonly index: Place;
  readonly pricingMd: Place;
  readonly description: Place;
  readonly mcp: Place;
  readonly openid: Place;
  readonly authorization: Place;
  readonly resource: Place;
  readonly documentation: Place;
  readonly prices: PriceTexts;
}

/** What is said in place of, or between, amounts of money. */
export interface PriceTexts {
  readonly free: string;
  readonly open: string;
  readonly members: string;
  readonly notYet: string;
  readonly or: string;
  readonly plan: PlanTexts;
}

/** What one interval is called, and several of them. */
type Intervals = Readonly<Record<'month' | 'year', readonly [one: string, several: string]>>;

/** How a membership plan is paid. `{price}` and `{count}`, a number of intervals, are filled in. */
export interface PlanTexts {
  readonly every: Intervals;
  /** Once, for so long. */
  readonly lasting: Intervals;
  readonly once: string;
}

export const englishLanding: LandingTexts = {
  lang: 'en',
  skip: 'Skip to content',
  lead: 'An online school with an open API: look around without signing in.',
  courses: 'Courses and more',
  events: 'Next events',
  calendar: 'Subscribe to the calendar',
  unknown: 'The catalogue cannot be shown at the moment.',
  nothing: 'Nothing is published yet.',
  all: 'All {count} offers',
  buy: 'Buy',
  subscribe: 'Subscribe',
  signingIn: 'Signing in',
  signInFrom:
    'You sign in from the program that you use with this school: it opens a page at {host}, where you see what it asks for and choose what to allow.',
  yourAccount:
    'In your account you see the applications that may use it and where you are signed in, and change your password.',
  signIn: 'Sign in to your account',
  createAccount: 'Create an account',
  programs: 'For programs and their authors',
  reference: ['API reference', 'Every operation, to read and to try'],
  guide: ['Access guide', 'How a program registers and signs a person in'],
  index: ['Index for agents', 'What is where, in one file'],
  pricingMd: ['Prices', 'Every offer as text'],
  description: ['API description', 'OpenAPI 3.0'],
  mcp: ['MCP server', 'Streamable HTTP; open without signing in'],
  openid: ['OpenID Connect', 'The discovery document'],
  authorization: ['Authorization server', 'Its metadata (RFC 8414)'],
  resource: ['Protected resource', 'Its metadata (RFC 9728)'],
  documentation: ['Documentation', 'For developers of clients'],
  prices: {
    free: 'Free with an account',
    open: 'Free, also without an account',
    members: 'With a membership plan',
    notYet: 'Not for sale yet',
    or: ' or ',
    plan: {
      every: {
        month: ['{price} per month', '{price} every {count} months'],
        year: ['{price} per year', '{price} every {count} years'],
      },
      lasting: {
        month: ['{price} for a month', '{price} for {count} months'],
        year: ['{price} for a year', '{price} for {count} years'],
      },
      once: '{price} once',
    },
  },
};

const german: LandingTexts = {
  lang: 'de',
  skip: 'Zum Inhalt springen',
  lead: 'Eine Online-Schule mit offener API: Sehen Sie sich um, ohne sich anzumelden.',
  courses: 'Kurse und mehr',
  events: 'Nächste Veranstaltungen',
  calendar: 'Kalender abonnieren',
  unknown: 'Das Angebot kann gerade nicht angezeigt werden.',
  nothing: 'Noch ist nichts veröffentlicht.',
  all: 'Alle {count} Angebote',
  buy: 'Kaufen',
  subscribe: 'Abonnieren',
  signingIn: 'Anmelden',
  signInFrom:
    'Sie melden sich aus dem Programm an, das Sie mit dieser Schule benutzen: Es öffnet eine Seite bei {host}, auf der Sie sehen, worum es bittet, und wählen, was Sie erlauben.',
  yourAccount:
    'In Ihrem Konto sehen Sie, welche Apps es benutzen dürfen und wo Sie angemeldet sind, und ändern Ihr Passwort.',
  signIn: 'Beim Konto anmelden',
  createAccount: 'Konto eröffnen',
  programs: 'Für Programme und wer sie schreibt',
  reference: ['API-Referenz', 'Jede Operation, zum Lesen und Ausprobieren'],
  guide: ['Zugangsanleitung', 'Wie ein Programm sich registriert und jemanden anmeldet'],
  index: ['Verzeichnis für Agenten', 'Was wo ist, in einer Datei'],
  pricingMd: ['Preise', 'Jedes Angebot als Text'],
  description: ['API-Beschreibung', 'OpenAPI 3.0'],
  mcp: ['MCP-Server', 'Streamable HTTP; offen, ohne Anmeldung'],
  openid: ['OpenID Connect', 'Das Discovery-Dokument'],
  authorization: ['Autorisierungsserver', 'Seine Metadaten (RFC 8414)'],
  resource: ['Geschützte Ressource', 'Ihre Metadaten (RFC 9728)'],
  documentation: ['Dokumentation', 'Für alle, die Clients entwickeln'],
  prices: {
    free: 'Kostenlos mit einem Konto',
    open: 'Kostenlos, auch ohne Konto',
    members: 'Mit einer Mitgliedschaft',
    notYet: 'Noch nicht zu kaufen',
    or: ' oder ',
    plan: {
      every: {
        month: ['{price} im Monat', '{price} alle {count} Monate'],
        year: ['{price} im Jahr', '{price} alle {count} Jahre'],
      },
      lasting: {
        month: ['{price} für einen Monat', '{price} für {count} Monate'],
        year: ['{price} für ein Jahr', '{price} für {count} Jahre'],
      },
      once: '{price} einmalig',
    },
  },
};

const portuguese: LandingTexts = {
  lang: 'pt',
  skip: 'Ir para o conteúdo',
  lead: 'Uma escola online com uma API aberta: explore sem iniciar sessão.',
  courses: 'Cursos e mais',
  events: 'Próximos eventos',
  calendar: 'Subscrever o calendário',
  unknown: 'De momento não é possível mostrar o catálogo.',
  nothing: 'Ainda não há nada publicado.',
  all: 'Todas as {count} ofertas',
  buy: 'Comprar',
  subscribe: 'Subscrever',
  signingIn: 'Entrar',
  signInFrom:
    'A sessão é iniciada a partir do programa que usa com esta escola: ele abre uma página em {host}, onde vê o que é pedido e escolhe o que permitir.',
  yourAccount: 'Na sua conta vê as aplicações que a podem usar e onde iniciou sessão, e altera a sua senha.',
  signIn: 'Entrar na sua conta',
  createAccount: 'Criar uma conta',
  programs: 'Para programas e quem os escreve',
  reference: ['Referência da API', 'Todas as operações, para ler e experimentar'],
  guide: ['Guia de acesso', 'Como um programa se regista e inicia a sessão de alguém'],
  index: ['Índice para agentes', 'O que está onde, num só ficheiro'],
  pricingMd: ['Preços', 'Todas as ofertas em texto'],
  description: ['Descrição da API', 'OpenAPI 3.0'],
  mcp: ['Servidor MCP', 'Streamable HTTP; aberto, sem iniciar sessão'],
  openid: ['OpenID Connect', 'O documento de descoberta'],
  authorization: ['Servidor de autorização', 'Os seus metadados (RFC 8414)'],
  resource: ['Recurso protegido', 'Os seus metadados (RFC 9728)'],
  documentation: ['Documentação', 'Para quem desenvolve clientes'],
  prices: {
    free: 'Grátis com uma conta',
    open: 'Grátis, mesmo sem conta',
    members: 'Com um plano de membro',
    notYet: 'Ainda não está à venda',
    or: ' ou ',
    plan: {
      every: {
        month: ['{price} por mês', '{price} a cada {count} meses'],
        year: ['{price} por ano', '{price} a cada {count} anos'],
      },
      lasting: {
        month: ['{price} por um mês de acesso', '{price} por {count} meses de acesso'],
        year: ['{price} por um ano de acesso', '{price} por {count} anos de acesso'],
      },
      once: '{price}, uma única vez',
    },
  },
};

const korean: LandingTexts = {
  lang: 'ko',
  skip: '본문으로 건너뛰기',
  lead: '열린 API를 제공하는 온라인 학교입니다. 로그인하지 않고도 둘러볼 수 있습니다.',
  courses: '강좌와 상품',
  events: '다가오는 이벤트',
  calendar: '캘린더 구독',
  unknown: '지금은 강좌 목록을 표시할 수 없습니다.',
  nothing: '아직 공개된 것이 없습니다.',
  all: '전체 {count}개 보기',
  buy: '구매',
  subscribe: '구독',
  signingIn: '로그인',
  signInFrom:
    '이 학교와 함께 사용하는 프로그램에서 로그인합니다. 프로그램이 {host} 페이지를 열면 요청 내용을 확인하고 허용할 항목을 선택할 수 있습니다.',
  yourAccount: '내 계정에서는 계정을 사용할 수 있는 앱과 로그인한 기기를 확인하고 비밀번호를 변경할 수 있습니다.',
  signIn: '내 계정에 로그인',
  createAccount: '계정 만들기',
  programs: '프로그램과 개발자를 위한 정보',
  reference: ['API 참조', '모든 작업을 읽고 시험해 볼 수 있습니다'],
  guide: ['접근 안내서', '프로그램을 등록하고 사용자를 로그인시키는 방법'],
  index: ['에이전트용 색인', '무엇이 어디에 있는지 한 파일에 정리'],
  pricingMd: ['가격', '모든 상품을 텍스트로'],
  description: ['API 명세', 'OpenAPI 3.0'],
  mcp: ['MCP 서버', 'Streamable HTTP, 로그인 없이 이용 가능'],
  openid: ['OpenID Connect', '디스커버리 문서'],
  authorization: ['인가 서버', '메타데이터 (RFC 8414)'],
  resource: ['보호된 리소스', '메타데이터 (RFC 9728)'],
  documentation: ['문서', '클라이언트 개발자를 위한 문서'],
  prices: {
    free: '계정이 있으면 무료',
    open: '계정 없이도 무료',
    members: '멤버십으로 이용',
    notYet: '아직 판매하지 않음',
    or: ' 또는 ',
    plan: {
      every: {
        month: ['매월 {price}', '{count}개월마다 {price}'],
        year: ['매년 {price}', '{count}년마다 {price}'],
      },
      lasting: {
        month: ['1개월 이용 {price}', '{count}개월 이용 {price}'],
        year: ['1년 이용 {price}', '{count}년 이용 {price}'],
      },
      once: '1회 결제 {price}',
    },
  },
};

/** The languages of the landing page: those of the pages for signing in. */
export const landingLanguages = { en: englishLanding, de: german, pt: portuguese, ko: korean } as const;
