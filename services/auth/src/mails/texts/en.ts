/**
 * The mails of this service in English; the other languages have the same keys. A word in braces is a slot.
 */
export const english = {
  lang: 'en',
  reset: {
    subject: 'Set a new password at {school}',
    lead: 'Somebody, probably you, asked to set a new password for your account at {school}.',
    action: 'Set a new password',
    foot: 'The link works once, within 30 minutes. If it was not you, do nothing: your password stays as it is.',
  },
  verify: {
    subject: 'Confirm your e-mail address at {school}',
    lead: 'Please confirm that this is your e-mail address at {school}.',
    action: 'Confirm the address',
    foot: 'The link works for 24 hours. If you have no account there, ignore this mail.',
  },
  passwordChanged: {
    subject: 'Your password at {school} was changed',
    lead: 'The password of your account at {school} was changed. Every sign-in before has been ended, and every app is disconnected.',
    action: 'Set another password',
    foot: 'If it was you, there is nothing to do. If not, set another password at once and tell the school.',
  },
  emailChangePresent: {
    subject: 'Your e-mail address at {school} is to change',
    lead: 'Your account at {school} is to have the address {email}. Confirm it here, and by the mail that we sent to the other address.',
    action: 'Confirm the change',
    foot: 'The link works for 24 hours. If it was not you, do not open it, and change your password.',
  },
  emailChangeNext: {
    subject: 'Confirm your new e-mail address at {school}',
    lead: 'An account at {school} is to have the address {email}, at which you read this. Confirm it here, and by the mail that we sent to the present address.',
    action: 'Confirm the address',
    foot: 'The link works for 24 hours. If you know nothing of it, ignore this mail.',
  },
  export: {
    subject: 'Your data at {school}',
    lead: 'You asked for all that is known of you at {school}. It is ready to be downloaded as a zip file.',
    action: 'Download your data',
    foot: 'The link works for 7 days: keep it to yourself, for whoever has it reads your data. If you did not ask for it, change your password and tell the school.',
  },
} as const;
