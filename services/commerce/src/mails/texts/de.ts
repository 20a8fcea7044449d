import type { MailTexts } from './mail-text.ts';

/** The mails. */
export const german: MailTexts = {
  lang: 'de',
  total: 'Gesamt',
  tax: 'Steuer',
  reference: 'Verwendungszweck',
  free: {
    subject: 'Ihre Bestellung {order} bei {school}',
    lead: 'Vielen Dank für Ihre Bestellung {order} bei {school}. Es ist nichts zu bezahlen.',
    action: 'Zur Schule',
    foot: 'Sie müssen nichts weiter tun.',
  },
  receipt: {
    subject: 'Ihre Quittung für Bestellung {order} bei {school}',
    lead: 'Vielen Dank. {school} hat Ihre Zahlung von {amount} am {date} erhalten.',
    action: 'Rechnung öffnen',
    foot: 'Sie können die Rechnung drucken oder als PDF speichern. Wer den Link hat, kann sie lesen: Geben Sie ihn nicht weiter.',
  },
  refunded: {
    subject: 'Erstattung für Bestellung {order} bei {school}',
    lead: '{school} hat {amount} Ihrer Bestellung {order} zurückgezahlt. Bis Ihre Bank es zeigt, können einige Tage vergehen.',
    action: 'Rechnungskorrektur öffnen',
    foot: 'Sie können die Rechnungskorrektur drucken oder als PDF speichern. Wer den Link hat, kann sie lesen: Geben Sie ihn nicht weiter.',
  },
  transfer: {
    subject: 'So bezahlen Sie Bestellung {order} bei {school}',
    lead: 'Bitte überweisen Sie {amount} an {school} und geben Sie den Verwendungszweck an, damit Ihre Zahlung gefunden wird. Sie muss bis {until} ankommen.',
    action: 'Bestellung ansehen',
    foot: 'Sobald das Geld da ist, bekommen Sie eine Quittung.',
  },
  failed: {
    subject: 'Ihre Zahlung für Bestellung {order} bei {school} ist fehlgeschlagen',
    lead: 'Ihre Zahlung von {amount} für Bestellung {order} bei {school} ist fehlgeschlagen. Es wurde nichts abgebucht. Sie können bis {until} erneut bezahlen.',
    action: 'Erneut bezahlen',
    foot: 'Wenn Sie die Bestellung nicht mehr möchten, ist nichts zu tun.',
  },
  paymentDue: {
    subject: 'Ihre Zahlung für {plan} bei {school} ist fällig',
    lead: 'Der nächste Zeitraum von {plan} bei {school} hat begonnen, und {amount} sind fällig. Bitte bezahlen Sie jetzt: Ihr Zugang bleibt bis {until} bestehen.',
    action: 'Jetzt bezahlen',
    foot: 'Wenn Sie vor diesem Tag bezahlen, läuft Ihr Abonnement weiter.',
  },
  pastDue: {
    subject: 'Ihre Zahlung für {plan} bei {school} ist fehlgeschlagen',
    lead: 'Die Zahlung von {amount} für {plan} bei {school} ist fehlgeschlagen. Wir versuchen es am {date} noch einmal. Ihr Zugang bleibt bis {until} bestehen.',
    action: 'Jetzt bezahlen',
    foot: 'Bitte prüfen Sie, ob Ihr Zahlungsmittel gültig und gedeckt ist.',
  },
  pastDueLast: {
    subject: 'Ihr Zugang zu {plan} bei {school} endet bald',
    lead: 'Die Zahlung von {amount} für {plan} bei {school} ist fehlgeschlagen, und wir versuchen es nicht noch einmal. Ihr Zugang bleibt bis {until} bestehen.',
    action: 'Jetzt bezahlen',
    foot: 'Wenn Sie vor diesem Tag bezahlen, läuft Ihr Abonnement weiter.',
  },
  renewal: {
    subject: 'Ihr Abonnement von {plan} bei {school} wird verlängert',
    lead: 'Ihr Abonnement von {plan} bei {school} verlängert sich am {date}. Es werden {amount} abgebucht.',
    action: 'Abonnement ansehen',
    foot: 'Wenn Sie das nicht möchten, kündigen Sie vor diesem Tag. Sie bekommen diese Mail, weil das Gesetz verlangt, dass wir an solche Zahlungen erinnern.',
  },
  renewalDue: {
    subject: 'Ihr Abonnement von {plan} bei {school} wird verlängert',
    lead: 'Ihr Abonnement von {plan} bei {school} verlängert sich am {date}; dann sind {amount} fällig. Es wird nichts von selbst abgebucht: Wir schreiben Ihnen, wie Sie bezahlen.',
    action: 'Abonnement ansehen',
    foot: 'Wenn Sie das nicht möchten, kündigen Sie vor diesem Tag. Sie bekommen diese Mail, weil das Gesetz verlangt, dass wir an solche Zahlungen erinnern.',
  },
  trial: {
    subject: 'Ihre Probezeit von {plan} bei {school} endet bald',
    lead: 'Ihre Probezeit von {plan} bei {school} endet am {date}. Danach beginnt das Abonnement, und es werden {amount} abgebucht.',
    action: 'Abonnement ansehen',
    foot: 'Wenn Sie das nicht möchten, kündigen Sie vor diesem Tag. Sie bekommen diese Mail, weil das Gesetz verlangt, dass wir an solche Zahlungen erinnern.',
  },
  trialDue: {
    subject: 'Ihre Probezeit von {plan} bei {school} endet bald',
    lead: 'Ihre Probezeit von {plan} bei {school} endet am {date}. Danach beginnt das Abonnement, und {amount} sind fällig. Es wird nichts von selbst abgebucht: Wir schreiben Ihnen, wie Sie bezahlen.',
    action: 'Abonnement ansehen',
    foot: 'Wenn Sie das nicht möchten, kündigen Sie vor diesem Tag. Sie bekommen diese Mail, weil das Gesetz verlangt, dass wir an solche Zahlungen erinnern.',
  },
  lapsed: {
    subject: 'Ihr Abonnement von {plan} bei {school} ist beendet',
    lead: 'Ihr Abonnement von {plan} bei {school} endete am {date}, weil eine fällige Zahlung nicht eingegangen ist.',
    action: 'Zur Schule',
    foot: 'Ihr Lernstand bleibt erhalten: Wenn Sie wieder abonnieren, machen Sie dort weiter, wo Sie waren.',
  },
  canceled: {
    subject: 'Ihr Abonnement von {plan} bei {school} ist beendet',
    lead: 'Ihr Abonnement von {plan} bei {school} wurde gekündigt und endete am {date}. Es wird nichts mehr abgebucht.',
    action: 'Zur Schule',
    foot: 'Ihr Lernstand bleibt erhalten: Wenn Sie wieder abonnieren, machen Sie dort weiter, wo Sie waren.',
  },
};
