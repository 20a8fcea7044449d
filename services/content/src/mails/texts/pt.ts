import type { MailTexts } from './mail-text.ts';

/** The mails in Portuguese. */
export const portuguese: MailTexts = {
  lang: 'pt',
  when: 'Quando',
  where: 'Onde',
  online: 'Online',
  join: 'Participar online',
  cancel: 'Ver ou cancelar a sua inscrição',
  action: 'Ver o evento',
  confirmed: {
    subject: 'A sua inscrição está confirmada: {event}',
    lead: 'Tem um lugar em “{event}”, de {school}.',
    foot: 'Se não puder vir, cancele, por favor: assim outra pessoa fica com o lugar.',
  },
  promoted: {
    subject: 'Já tem um lugar: {event}',
    lead: 'Ficou livre um lugar em “{event}”, de {school}, e é seu.',
    foot: 'Se não puder vir, cancele, por favor: assim outra pessoa fica com o lugar.',
  },
  waitlisted: {
    subject: 'Está na lista de espera: {event}',
    lead: 'Todos os lugares em “{event}”, de {school}, em {date}, estão ocupados. Está na lista de espera, e escrevemos-lhe assim que houver um lugar para si.',
    foot: 'Se não quiser esperar mais, cancele, por favor.',
  },
  soldOut: {
    subject: 'Já não há lugares: {event}',
    lead: 'Outra pessoa ficou com o último lugar em “{event}”, de {school}. A sua inscrição não foi aceite.',
    foot: 'Não precisa de fazer mais nada.',
  },
  canceled: {
    subject: 'A sua inscrição foi cancelada: {event}',
    lead: 'A sua inscrição em “{event}”, de {school}, foi cancelada, como pediu.',
    foot: 'Pode inscrever-se de novo enquanto for possível.',
  },
  removed: {
    subject: 'A sua inscrição foi cancelada: {event}',
    lead: 'A sua inscrição em “{event}”, de {school}, em {date}, foi cancelada pela escola.',
    foot: 'Se tiver perguntas, fale com a escola.',
  },
  calledOff: {
    subject: 'Evento cancelado: {event}',
    lead: '{school} cancelou “{event}”, que ia começar em {date}.',
    foot: 'Não precisa de fazer nada. O que pagou é devolvido.',
  },
  rescheduled: {
    subject: 'Nova data: {event}',
    lead: '“{event}”, de {school}, passou para outra hora. A sua inscrição mantém-se.',
    foot: 'Se não puder vir a essa hora, cancele, por favor: assim outra pessoa fica com o lugar.',
  },
  day: {
    subject: 'Em breve: {event}',
    lead: '“{event}”, de {school}, começa em {date}.',
    foot: 'Recebe este e-mail porque está inscrito. Na sua conta pode escolher não receber lembretes.',
  },
  hour: {
    subject: 'Começa daqui a pouco: {event}',
    lead: '“{event}”, de {school}, começa daqui a pouco.',
    foot: 'Recebe este e-mail porque está inscrito. Na sua conta pode escolher não receber lembretes.',
  },
};
