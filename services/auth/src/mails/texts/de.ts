import type { MailTexts } from './mail-text.ts';

/** The mails. */
export const german: MailTexts = {
  lang: 'de',
  reset: {
    subject: 'Neues Passwort bei {school} festlegen',
    lead: 'Jemand, vermutlich Sie, möchte ein neues Passwort für Ihr Konto bei {school} festlegen.',
    action: 'Neues Passwort festlegen',
    foot: 'Der Link gilt einmal, innerhalb von 30 Minuten. Waren Sie es nicht, tun Sie nichts: Ihr Passwort bleibt, wie es ist.',
  },
  verify: {
    subject: 'Bestätigen Sie Ihre E-Mail-Adresse bei {school}',
    lead: 'Bitte bestätigen Sie, dass dies Ihre E-Mail-Adresse bei {school} ist.',
    action: 'Adresse bestätigen',
    foot: 'Der Link gilt 24 Stunden. Haben Sie dort kein Konto, beachten Sie diese E-Mail nicht.',
  },
  passwordChanged: {
    subject: 'Ihr Passwort bei {school} wurde geändert',
    lead: 'Das Passwort Ihres Kontos bei {school} wurde geändert. Alle bisherigen Anmeldungen sind beendet, und alle Apps sind getrennt.',
    action: 'Ein anderes Passwort festlegen',
    foot: 'Waren Sie es, ist nichts zu tun. Wenn nicht, legen Sie sofort ein anderes Passwort fest und sagen Sie es der Schule.',
  },
  emailChangePresent: {
    subject: 'Ihre E-Mail-Adresse bei {school} soll sich ändern',
    lead: 'Ihr Konto bei {school} soll die Adresse {email} bekommen. Bestätigen Sie es hier und mit der E-Mail, die wir an die andere Adresse gesendet haben.',
    action: 'Änderung bestätigen',
    foot: 'Der Link gilt 24 Stunden. Waren Sie es nicht, öffnen Sie ihn nicht, und ändern Sie Ihr Passwort.',
  },
  emailChangeNext: {
    subject: 'Bestätigen Sie Ihre neue E-Mail-Adresse bei {school}',
    lead: 'Ein Konto bei {school} soll die Adresse {email} bekommen, unter der Sie dies lesen. Bestätigen Sie es hier und mit der E-Mail, die wir an die bisherige Adresse gesendet haben.',
    action: 'Adresse bestätigen',
    foot: 'Der Link gilt 24 Stunden. Wissen Sie nichts davon, beachten Sie diese E-Mail nicht.',
  },
  export: {
    subject: 'Ihre Daten bei {school}',
    lead: 'Sie haben um alles gebeten, was bei {school} über Sie bekannt ist. Es steht als ZIP-Datei zum Herunterladen bereit.',
    action: 'Daten herunterladen',
    foot: 'Der Link gilt 7 Tage: Behalten Sie ihn für sich, denn wer ihn hat, liest Ihre Daten. Haben Sie nicht darum gebeten, ändern Sie Ihr Passwort und sagen Sie es der Schule.',
  },
};
