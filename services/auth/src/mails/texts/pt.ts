import type { MailTexts } from './mail-text.ts';

/** The mails. */
export const portuguese: MailTexts = {
  lang: 'pt',
  reset: {
    subject: 'Definir uma nova senha em {school}',
    lead: 'Alguém, provavelmente você, pediu para definir uma nova senha para a sua conta em {school}.',
    action: 'Definir uma nova senha',
    foot: 'O link funciona uma vez, em até 30 minutos. Se não foi você, não faça nada: a sua senha continua a mesma.',
  },
  verify: {
    subject: 'Confirme o seu endereço de e-mail em {school}',
    lead: 'Confirme que este é o seu endereço de e-mail em {school}.',
    action: 'Confirmar o endereço',
    foot: 'O link vale por 24 horas. Se você não tem conta lá, ignore este e-mail.',
  },
  passwordChanged: {
    subject: 'A sua senha em {school} foi alterada',
    lead: 'A senha da sua conta em {school} foi alterada. Todas as sessões anteriores foram encerradas e todos os aplicativos foram desconectados.',
    action: 'Definir outra senha',
    foot: 'Se foi você, não há nada a fazer. Se não foi, defina outra senha imediatamente e avise a escola.',
  },
  emailChangePresent: {
    subject: 'O seu endereço de e-mail em {school} vai mudar',
    lead: 'A sua conta em {school} passará a ter o endereço {email}. Confirme aqui e pelo e-mail que enviamos ao outro endereço.',
    action: 'Confirmar a mudança',
    foot: 'O link vale por 24 horas. Se não foi você, não o abra e altere a sua senha.',
  },
  emailChangeNext: {
    subject: 'Confirme o seu novo endereço de e-mail em {school}',
    lead: 'Uma conta em {school} passará a ter o endereço {email}, no qual você lê isto. Confirme aqui e pelo e-mail que enviamos ao endereço atual.',
    action: 'Confirmar o endereço',
    foot: 'O link vale por 24 horas. Se você não sabe do que se trata, ignore este e-mail.',
  },
  export: {
    subject: 'Os seus dados em {school}',
    lead: 'Você pediu tudo o que se sabe sobre você em {school}. Está pronto para ser baixado como arquivo zip.',
    action: 'Baixar os dados',
    foot: 'O link vale por 7 dias: guarde-o só para você, pois quem o tiver lê os seus dados. Se não foi você, altere a sua senha e avise a escola.',
  },
};
