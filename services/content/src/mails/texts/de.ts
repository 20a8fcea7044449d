import type { MailTexts } from './mail-text.ts';

/** The mails in German. */
export const german: MailTexts = {
  lang: 'de',
  when: 'Wann',
  where: 'Wo',
  online: 'Online',
  join: 'Online teilnehmen',
  cancel: 'Anmeldung ansehen oder absagen',
  action: 'Zur Veranstaltung',
  confirmed: {
    subject: 'Sie sind angemeldet: {event}',
    lead: 'Sie haben einen Platz bei „{event}“ von {school}.',
    foot: 'Wenn Sie nicht kommen können, sagen Sie bitte ab: Dann bekommt jemand anders den Platz.',
  },
  promoted: {
    subject: 'Sie haben jetzt einen Platz: {event}',
    lead: 'Bei „{event}“ von {school} ist ein Platz frei geworden, und er gehört Ihnen.',
    foot: 'Wenn Sie nicht kommen können, sagen Sie bitte ab: Dann bekommt jemand anders den Platz.',
  },
  waitlisted: {
    subject: 'Sie stehen auf der Warteliste: {event}',
    lead: 'Alle Plätze bei „{event}“ von {school} am {date} sind vergeben. Sie stehen auf der Warteliste, und wir schreiben Ihnen, sobald es einen Platz für Sie gibt.',
    foot: 'Wenn Sie nicht mehr warten möchten, sagen Sie bitte ab.',
  },
  soldOut: {
    subject: 'Kein Platz mehr: {event}',
    lead: 'Den letzten Platz bei „{event}“ von {school} hat jemand anders bekommen. Sie sind nicht angemeldet.',
    foot: 'Sie brauchen nichts weiter zu tun.',
  },
  canceled: {
    subject: 'Ihre Anmeldung ist abgesagt: {event}',
    lead: 'Ihre Anmeldung zu „{event}“ von {school} ist abgesagt, wie Sie es wollten.',
    foot: 'Sie können sich wieder anmelden, solange das möglich ist.',
  },
  removed: {
    subject: 'Ihre Anmeldung wurde abgesagt: {event}',
    lead: 'Ihre Anmeldung zu „{event}“ von {school} am {date} wurde von der Schule abgesagt.',
    foot: 'Wenn Sie Fragen haben, wenden Sie sich bitte an die Schule.',
  },
  calledOff: {
    subject: 'Fällt aus: {event}',
    lead: '{school} hat „{event}“ abgesagt. Der Beginn war am {date} vorgesehen.',
    foot: 'Sie brauchen nichts zu tun. Was Sie dafür bezahlt haben, wird erstattet.',
  },
  rescheduled: {
    subject: 'Neuer Termin: {event}',
    lead: '„{event}“ von {school} findet zu einer anderen Zeit statt. Ihre Anmeldung bleibt bestehen.',
    foot: 'Wenn Sie dann nicht kommen können, sagen Sie bitte ab: Dann bekommt jemand anders den Platz.',
  },
  day: {
    subject: 'Demnächst: {event}',
    lead: '„{event}“ von {school} beginnt am {date}.',
    foot: 'Sie bekommen diese E-Mail, weil Sie angemeldet sind. In Ihrem Konto können Sie Erinnerungen abstellen.',
  },
  hour: {
    subject: 'Beginnt bald: {event}',
    lead: '„{event}“ von {school} beginnt bald.',
    foot: 'Sie bekommen diese E-Mail, weil Sie angemeldet sind. In Ihrem Konto können Sie Erinnerungen abstellen.',
  },
};
