import type { MailTexts } from './mail-text.ts';

/** The mails. */
export const portuguese: MailTexts = {
  lang: 'pt',
  total: 'Total',
  tax: 'Imposto',
  reference: 'Referência',
  free: {
    subject: 'O seu pedido {order} em {school}',
    lead: 'Obrigado pelo seu pedido {order} em {school}. Não há nada a pagar.',
    action: 'Ir para a escola',
    foot: 'Você não precisa fazer mais nada.',
  },
  receipt: {
    subject: 'O seu recibo do pedido {order} em {school}',
    lead: 'Obrigado. {school} recebeu o seu pagamento de {amount} em {date}.',
    action: 'Abrir a fatura',
    foot: 'Você pode imprimir a fatura ou guardá-la em PDF. Quem tiver o link pode lê-la: guarde-o só para você.',
  },
  refunded: {
    subject: 'Reembolso do pedido {order} em {school}',
    lead: '{school} devolveu {amount} do seu pedido {order}. O seu banco pode demorar alguns dias a mostrá-lo.',
    action: 'Abrir a nota de crédito',
    foot: 'Você pode imprimir a nota de crédito ou guardá-la em PDF. Quem tiver o link pode lê-la: guarde-o só para você.',
  },
  transfer: {
    subject: 'Como pagar o pedido {order} em {school}',
    lead: 'Transfira {amount} para {school} e indique a referência, para que o seu pagamento seja encontrado. Ele tem de chegar até {until}.',
    action: 'Ver o pedido',
    foot: 'Você recebe um recibo assim que o dinheiro chegar.',
  },
  failed: {
    subject: 'O seu pagamento do pedido {order} em {school} falhou',
    lead: 'O seu pagamento de {amount} do pedido {order} em {school} falhou. Nada foi cobrado. Você pode pagar de novo até {until}.',
    action: 'Pagar de novo',
    foot: 'Se não quiser mais o pedido, não há nada a fazer.',
  },
  paymentDue: {
    subject: 'O seu pagamento de {plan} em {school} está por fazer',
    lead: 'Começou o próximo período de {plan} em {school}, e há {amount} por pagar. Pague agora: o seu acesso continua até {until}.',
    action: 'Pagar agora',
    foot: 'Se pagar antes desse dia, a sua assinatura continua.',
  },
  pastDue: {
    subject: 'O seu pagamento de {plan} em {school} falhou',
    lead: 'O pagamento de {amount} por {plan} em {school} falhou. Tentamos de novo em {date}. O seu acesso continua até {until}.',
    action: 'Pagar agora',
    foot: 'Verifique se o seu meio de pagamento é válido e tem saldo.',
  },
  pastDueLast: {
    subject: 'O seu acesso a {plan} em {school} está para terminar',
    lead: 'O pagamento de {amount} por {plan} em {school} falhou, e não tentaremos de novo. O seu acesso continua até {until}.',
    action: 'Pagar agora',
    foot: 'Se pagar antes desse dia, a sua assinatura continua.',
  },
  renewal: {
    subject: 'A sua assinatura de {plan} em {school} será renovada',
    lead: 'A sua assinatura de {plan} em {school} será renovada em {date}. Serão cobrados {amount}.',
    action: 'Ver a assinatura',
    foot: 'Se não quiser, cancele antes desse dia. Você recebe este e-mail porque a lei nos pede que lembremos de cobranças como esta.',
  },
  renewalDue: {
    subject: 'A sua assinatura de {plan} em {school} será renovada',
    lead: 'A sua assinatura de {plan} em {school} será renovada em {date}, e haverá então {amount} por pagar. Nada é cobrado automaticamente: escreveremos a você como pagar.',
    action: 'Ver a assinatura',
    foot: 'Se não quiser, cancele antes desse dia. Você recebe este e-mail porque a lei nos pede que lembremos de pagamentos como este.',
  },
  trial: {
    subject: 'O seu período de teste de {plan} em {school} está para terminar',
    lead: 'O seu período de teste de {plan} em {school} termina em {date}. Depois começa a assinatura, e serão cobrados {amount}.',
    action: 'Ver a assinatura',
    foot: 'Se não quiser, cancele antes desse dia. Você recebe este e-mail porque a lei nos pede que lembremos de cobranças como esta.',
  },
  trialDue: {
    subject: 'O seu período de teste de {plan} em {school} está para terminar',
    lead: 'O seu período de teste de {plan} em {school} termina em {date}. Depois começa a assinatura, e haverá {amount} por pagar. Nada é cobrado automaticamente: escreveremos a você como pagar.',
    action: 'Ver a assinatura',
    foot: 'Se não quiser, cancele antes desse dia. Você recebe este e-mail porque a lei nos pede que lembremos de pagamentos como este.',
  },
  lapsed: {
    subject: 'A sua assinatura de {plan} em {school} terminou',
    lead: 'A sua assinatura de {plan} em {school} terminou em {date}, porque um pagamento devido não chegou.',
    action: 'Ir para a escola',
    foot: 'O que você fez fica guardado: se assinar de novo, continua de onde parou.',
  },
  canceled: {
    subject: 'A sua assinatura de {plan} em {school} terminou',
    lead: 'A sua assinatura de {plan} em {school} foi cancelada e terminou em {date}. Nada mais será cobrado.',
    action: 'Ir para a escola',
    foot: 'O que você fez fica guardado: se assinar de novo, continua de onde parou.',
  },
};
