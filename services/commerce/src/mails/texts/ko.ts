import type { MailTexts } from './mail-text.ts';

/** The mails. */
export const korean: MailTexts = {
  lang: 'ko',
  total: '합계',
  tax: '세금',
  reference: '입금 시 적을 내용',
  free: {
    subject: '{school} 주문 {order}',
    lead: '{school}에서 주문해 주셔서 감사합니다(주문 {order}). 결제할 금액은 없습니다.',
    action: '학교로 이동',
    foot: '더 하실 일은 없습니다.',
  },
  receipt: {
    subject: '{school} 주문 {order} 영수증',
    lead: '감사합니다. {date}에 {amount} 결제가 {school}에 접수되었습니다.',
    action: '청구서 열기',
    foot: '청구서를 인쇄하거나 PDF로 저장할 수 있습니다. 링크를 가진 사람은 누구나 읽을 수 있으니 다른 사람에게 알리지 마세요.',
  },
  refunded: {
    subject: '{school} 주문 {order} 환불',
    lead: '{school}에서 주문 {order}의 {amount}을(를) 환불했습니다. 은행에 표시되기까지 며칠 걸릴 수 있습니다.',
    action: '환불 명세서 열기',
    foot: '환불 명세서를 인쇄하거나 PDF로 저장할 수 있습니다. 링크를 가진 사람은 누구나 읽을 수 있으니 다른 사람에게 알리지 마세요.',
  },
  transfer: {
    subject: '{school} 주문 {order} 입금 안내',
    lead: '{school}(으)로 {amount}을(를) 이체하고, 입금을 확인할 수 있도록 아래 내용을 적어 주세요. {until}까지 도착해야 합니다.',
    action: '주문 보기',
    foot: '입금이 확인되면 영수증을 보내 드립니다.',
  },
  failed: {
    subject: '{school} 주문 {order} 결제가 완료되지 않았습니다',
    lead: '{school} 주문 {order}의 {amount} 결제가 완료되지 않았습니다. 청구된 금액은 없습니다. {until}까지 다시 결제할 수 있습니다.',
    action: '다시 결제',
    foot: '주문을 더 이상 원하지 않으면 아무것도 하지 않아도 됩니다.',
  },
  paymentDue: {
    subject: '{school} {plan} 결제가 필요합니다',
    lead: '{school} {plan}의 다음 이용 기간이 시작되어 {amount} 결제가 필요합니다. 지금 결제해 주세요. {until}까지는 계속 이용할 수 있습니다.',
    action: '지금 결제',
    foot: '그 전에 결제하면 구독이 계속됩니다.',
  },
  pastDue: {
    subject: '{school} {plan} 결제가 완료되지 않았습니다',
    lead: '{school} {plan}의 {amount} 결제가 완료되지 않았습니다. {date}에 다시 시도합니다. {until}까지는 계속 이용할 수 있습니다.',
    action: '지금 결제',
    foot: '결제 수단이 유효하고 잔액이 충분한지 확인해 주세요.',
  },
  pastDueLast: {
    subject: '{school} {plan} 이용이 곧 종료됩니다',
    lead: '{school} {plan}의 {amount} 결제가 완료되지 않았고, 더 이상 다시 시도하지 않습니다. {until}까지는 계속 이용할 수 있습니다.',
    action: '지금 결제',
    foot: '그 전에 결제하면 구독이 계속됩니다.',
  },
  renewal: {
    subject: '{school} {plan} 구독이 갱신됩니다',
    lead: '{school} {plan} 구독이 {date}에 갱신되며 {amount}이(가) 청구됩니다.',
    action: '구독 보기',
    foot: '원하지 않으면 그 전에 해지하세요. 법에 따라 이러한 청구를 미리 알려 드리는 메일입니다.',
  },
  renewalDue: {
    subject: '{school} {plan} 구독이 갱신됩니다',
    lead: '{school} {plan} 구독이 {date}에 갱신되며, 그때 {amount} 결제가 필요합니다. 자동으로 청구되지 않으며, 결제 방법을 메일로 알려 드립니다.',
    action: '구독 보기',
    foot: '원하지 않으면 그 전에 해지하세요. 법에 따라 이러한 결제를 미리 알려 드리는 메일입니다.',
  },
  trial: {
    subject: '{school} {plan} 체험이 곧 끝납니다',
    lead: '{school} {plan} 체험이 {date}에 끝납니다. 이후 구독이 시작되며 {amount}이(가) 청구됩니다.',
    action: '구독 보기',
    foot: '원하지 않으면 그 전에 해지하세요. 법에 따라 이러한 청구를 미리 알려 드리는 메일입니다.',
  },
  trialDue: {
    subject: '{school} {plan} 체험이 곧 끝납니다',
    lead: '{school} {plan} 체험이 {date}에 끝납니다. 이후 구독이 시작되며 {amount} 결제가 필요합니다. 자동으로 청구되지 않으며, 결제 방법을 메일로 알려 드립니다.',
    action: '구독 보기',
    foot: '원하지 않으면 그 전에 해지하세요. 법에 따라 이러한 결제를 미리 알려 드리는 메일입니다.',
  },
  lapsed: {
    subject: '{school} {plan} 구독이 종료되었습니다',
    lead: '결제 금액이 입금되지 않아 {school} {plan} 구독이 {date}에 종료되었습니다.',
    action: '학교로 이동',
    foot: '학습 기록은 보관됩니다. 다시 구독하면 이어서 할 수 있습니다.',
  },
  canceled: {
    subject: '{school} {plan} 구독이 종료되었습니다',
    lead: '{school} {plan} 구독이 해지되어 {date}에 종료되었습니다. 더 이상 청구되지 않습니다.',
    action: '학교로 이동',
    foot: '학습 기록은 보관됩니다. 다시 구독하면 이어서 할 수 있습니다.',
  },
};
