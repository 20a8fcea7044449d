import type { MailTexts } from './mail-text.ts';

/** The mails. */
export const english: MailTexts = {
  lang: 'en',
  when: 'When',
  where: 'Where',
  online: 'Online',
  join: 'Take part online',
  cancel: 'See or cancel your registration',
  action: 'See the event',
  confirmed: {
    subject: 'You are registered: {event}',
    lead: 'You have a seat at “{event}” by {school}.',
    foot: 'If you cannot come, please cancel: somebody else gets the seat then.',
  },
  promoted: {
    subject: 'You have a seat now: {event}',
    lead: 'A seat at “{event}” by {school} has become free, and it is yours.',
    foot: 'If you cannot come, please cancel: somebody else gets the seat then.',
  },
  waitlisted: {
    subject: 'You are on the waitlist: {event}',
    lead: 'All seats at “{event}” by {school} on {date} are taken. You are on the waitlist, and we write to you as soon as there is a seat for you.',
    foot: 'If you do not want to wait any more, please cancel.',
  },
  soldOut: {
    subject: 'No seat left: {event}',
    lead: 'Somebody else took the last seat at “{event}” by {school}. You are not registered.',
    foot: 'You need not do anything else.',
  },
  canceled: {
    subject: 'Your registration is canceled: {event}',
    lead: 'Your registration for “{event}” by {school} is canceled, as you wanted.',
    foot: 'You can register again as long as that is possible.',
  },
  removed: {
    subject: 'Your registration was canceled: {event}',
    lead: 'Your registration for “{event}” by {school} on {date} was canceled by the school.',
    foot: 'If you have questions, please ask the school.',
  },
  calledOff: {
    subject: 'Called off: {event}',
    lead: '{school} has called off “{event}”, which was to begin on {date}.',
    foot: 'You need not do anything. What you paid for it is paid back.',
  },
  rescheduled: {
    subject: 'New time: {event}',
    lead: '“{event}” by {school} is at another time now. Your registration stays.',
    foot: 'If you cannot come then, please cancel: somebody else gets the seat then.',
  },
  day: {
    subject: 'Coming up: {event}',
    lead: '“{event}” by {school} begins on {date}.',
    foot: 'You get this mail because you are registered. In your account you can choose not to be reminded.',
  },
  hour: {
    subject: 'Beginning soon: {event}',
    lead: '“{event}” by {school} begins soon.',
    foot: 'You get this mail because you are registered. In your account you can choose not to be reminded.',
  },
};
