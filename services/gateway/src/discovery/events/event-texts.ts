import type { UiLanguage } from '@lyceum/contracts';

/** What the pages of events and of registrations say, in one language. Text in braces is filled in. */
export interface EventTexts {
  /** Back to the school's own page. */
  readonly all: string;
  readonly facts: string;
  readonly when: string;
  readonly where: string;
  readonly online: string;
  readonly price: string;
  readonly free: string;
  readonly seats: string;
  readonly few: string;
  readonly none: string;
  readonly waitlist: string;
  readonly about: string;
  readonly canceled: string;
  readonly ended: string;
  readonly closed: string;
  readonly calendar: string;
  /** What guests do, and the button by which they do it. */
  readonly register: string;
  /** The same when all seats are taken. */
  readonly joinWaitlist: string;
  /** What guests are told before they register. */
  readonly guests: string;
  readonly name: string;
  readonly email: string;
  /** The other way in, for those who have an account. */
  readonly join: string;
  readonly soldOut: string;
  readonly already: string;
  /** What comes after registering. */
  readonly mailed: string;
  readonly paid: string;
  readonly registration: string;
  /** By the status of a registration. */
  readonly statuses: Readonly<Record<string, string>>;
  /** `{count}` is the place on the waitlist. */
  readonly position: string;
  readonly takePart: string;
  readonly cancel: string;
  readonly toEvent: string;
}

/** The languages of the pages: those of the pages for signing in. */
export const eventLanguages: Readonly<Record<UiLanguage, EventTexts>> = {
  en: {
    all: 'All that {school} offers',
    facts: 'At a glance',
    when: 'When',
    where: 'Where',
    online: 'Online',
    price: 'Price',
    free: 'Free',
    seats: 'Seats',
    few: 'Few left',
    none: 'None left',
    waitlist: 'None left; you can join the waitlist',
    about: 'About the event',
    canceled: 'This event was called off.',
    ended: 'This event is over.',
    closed: 'The time to register is over.',
    calendar: 'Add to your calendar',
    register: 'Register',
    joinWaitlist: 'Join the waitlist',
    guests:
      'You need no account. We write to you: the mail has a link at which you see your registration and cancel it.',
    name: 'Your name',
    email: 'Your e-mail address',
    join: 'If you have an account, you can also register in the program that you use with this school.',
    soldOut: 'No seat is left.',
    already: 'You are registered already. The mail about it has a link to your registration.',
    mailed: 'We write to you. The mail has a link at which you see your registration and cancel it.',
    paid: 'This event is not free.',
    registration: 'Your registration',
    statuses: {
      pending: 'We are looking for a seat for you, and write to you.',
      waitlisted: 'You are on the waitlist.',
      confirmed: 'You have a seat.',
      attended: 'You were there.',
      canceled: 'Your registration is canceled.',
    },
    position: 'Your place on the waitlist: {count}',
    takePart: 'Take part online',
    cancel: 'Cancel the registration',
    toEvent: 'See the event',
  },
  de: {
    all: 'Das ganze Angebot von {school}',
    facts: 'Auf einen Blick',
    when: 'Wann',
    where: 'Wo',
    online: 'Online',
    price: 'Preis',
    free: 'Kostenlos',
    seats: 'Plätze',
    few: 'Nur noch wenige',
    none: 'Keine mehr',
    waitlist: 'Keine mehr; Sie können sich auf die Warteliste setzen lassen',
    about: 'Über die Veranstaltung',
    canceled: 'Diese Veranstaltung wurde abgesagt.',
    ended: 'Diese Veranstaltung ist vorbei.',
    closed: 'Die Anmeldung ist geschlossen.',
    calendar: 'In den Kalender eintragen',
    register: 'Anmelden',
    joinWaitlist: 'Auf die Warteliste',
    guests:
      'Sie brauchen kein Konto. Wir schreiben Ihnen: In der E-Mail steht ein Link, unter dem Sie Ihre Anmeldung sehen und absagen.',
    name: 'Ihr Name',
    email: 'Ihre E-Mail-Adresse',
    join: 'Wenn Sie ein Konto haben, können Sie sich auch in dem Programm anmelden, das Sie mit dieser Schule benutzen.',
    soldOut: 'Es ist kein Platz mehr frei.',
    already: 'Sie sind schon angemeldet. In der E-Mail dazu steht der Link zu Ihrer Anmeldung.',
    mailed: 'Wir schreiben Ihnen. In der E-Mail steht ein Link, unter dem Sie Ihre Anmeldung sehen und absagen.',
    paid: 'Diese Veranstaltung ist nicht kostenlos.',
    registration: 'Ihre Anmeldung',
    statuses: {
      pending: 'Wir suchen einen Platz für Sie und schreiben Ihnen.',
      waitlisted: 'Sie stehen auf der Warteliste.',
      confirmed: 'Sie haben einen Platz.',
      attended: 'Sie waren da.',
      canceled: 'Ihre Anmeldung ist abgesagt.',
    },
    position: 'Ihr Platz auf der Warteliste: {count}',
    takePart: 'Online teilnehmen',
    cancel: 'Anmeldung absagen',
    toEvent: 'Zur Veranstaltung',
  },
  pt: {
    all: 'Tudo o que {school} oferece',
    facts: 'Resumo',
    when: 'Quando',
    where: 'Onde',
    online: 'Online',
    price: 'Preço',
    free: 'Grátis',
    seats: 'Lugares',
    few: 'Restam poucos',
    none: 'Já não há',
    waitlist: 'Já não há; pode entrar na lista de espera',
    about: 'Sobre o evento',
    canceled: 'Este evento foi cancelado.',
    ended: 'Este evento já terminou.',
    closed: 'As inscrições estão encerradas.',
    calendar: 'Adicionar ao calendário',
    register: 'Inscrever-se',
    joinWaitlist: 'Entrar na lista de espera',
    guests: 'Não precisa de conta. Escrevemos-lhe: no e-mail há um link onde vê a sua inscrição e a pode cancelar.',
    name: 'O seu nome',
    email: 'O seu endereço de e-mail',
    join: 'Se tem uma conta, também pode inscrever-se no programa que usa com esta escola.',
    soldOut: 'Já não há lugares.',
    already: 'Já está inscrito. No e-mail que recebeu está o link da sua inscrição.',
    mailed: 'Escrevemos-lhe. No e-mail há um link onde vê a sua inscrição e a pode cancelar.',
    paid: 'Este evento não é gratuito.',
    registration: 'A sua inscrição',
    statuses: {
      pending: 'Estamos à procura de um lugar para si e escrevemos-lhe.',
      waitlisted: 'Está na lista de espera.',
      confirmed: 'Tem um lugar.',
      attended: 'Esteve presente.',
      canceled: 'A sua inscrição está cancelada.',
    },
    position: 'O seu lugar na lista de espera: {count}',
    takePart: 'Participar online',
    cancel: 'Cancelar a inscrição',
    toEvent: 'Ver o evento',
  },
  ko: {
    all: '{school}의 전체 목록',
    facts: '한눈에 보기',
    when: '일시',
    where: '장소',
    online: '온라인',
    price: '가격',
    free: '무료',
    seats: '자리',
    few: '얼마 남지 않음',
    none: '남은 자리 없음',
    waitlist: '남은 자리가 없으며, 대기자로 신청할 수 있습니다',
    about: '이벤트 소개',
    canceled: '취소된 이벤트입니다.',
    ended: '종료된 이벤트입니다.',
    closed: '신청이 마감되었습니다.',
    calendar: '캘린더에 추가',
    register: '신청하기',
    joinWaitlist: '대기자로 신청하기',
    guests: '계정은 필요 없습니다. 보내 드리는 메일의 링크에서 신청 내역을 확인하고 취소할 수 있습니다.',
    name: '이름',
    email: '이메일 주소',
    join: '계정이 있으면 이 학교에서 사용하는 프로그램에서도 신청할 수 있습니다.',
    soldOut: '남은 자리가 없습니다.',
    already: '이미 신청하셨습니다. 받으신 메일에 신청 내역 링크가 있습니다.',
    mailed: '메일을 보내 드립니다. 메일의 링크에서 신청 내역을 확인하고 취소할 수 있습니다.',
    paid: '무료 이벤트가 아닙니다.',
    registration: '신청 내역',
    statuses: {
      pending: '자리를 확인하고 있으며, 결과를 메일로 알려 드립니다.',
      waitlisted: '대기자 명단에 있습니다.',
      confirmed: '자리가 확정되었습니다.',
      attended: '참석하셨습니다.',
      canceled: '신청이 취소되었습니다.',
    },
    position: '대기 순번: {count}',
    takePart: '온라인으로 참여하기',
    cancel: '신청 취소',
    toEvent: '이벤트 보기',
  },
};
