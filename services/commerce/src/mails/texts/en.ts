import type { MailTexts } from './mail-text.ts';

/** The mails. */
export const english: MailTexts = {
  lang: 'en',
  total: 'Total',
  tax: 'Tax',
  reference: 'Reference',
  free: {
    subject: 'Your order {order} at {school}',
    lead: 'Thank you for your order {order} at {school}. There is nothing to pay.',
    action: 'Go to the school',
    foot: 'You need not do anything else.',
  },
  receipt: {
    subject: 'Your receipt for order {order} at {school}',
    lead: 'Thank you. {school} received your payment of {amount} on {date}.',
    action: 'Open the invoice',
    foot: 'You can print the invoice or save it as a PDF. Whoever has the link can read it: keep it to yourself.',
  },
  refunded: {
    subject: 'Refund for order {order} at {school}',
    lead: '{school} has paid back {amount} of your order {order}. It can take some days until your bank shows it.',
    action: 'Open the credit note',
    foot: 'You can print the credit note or save it as a PDF. Whoever has the link can read it: keep it to yourself.',
  },
  transfer: {
    subject: 'How to pay order {order} at {school}',
    lead: 'Please transfer {amount} to {school} and state the reference, so that your payment is found. It has to arrive by {until}.',
    action: 'See the order',
    foot: 'You get a receipt as soon as the money has arrived.',
  },
  failed: {
    subject: 'Your payment for order {order} at {school} did not go through',
    lead: 'Your payment of {amount} for order {order} at {school} did not go through. Nothing was charged. You can pay again until {until}.',
    action: 'Pay again',
    foot: 'If you do not want the order any more, there is nothing to do.',
  },
  paymentDue: {
    subject: 'Your payment for {plan} at {school} is due',
    lead: 'The next period of {plan} at {school} has begun, and {amount} is due. Please pay now: you keep your access until {until}.',
    action: 'Pay now',
    foot: 'If you pay before that day, your subscription goes on.',
  },
  pastDue: {
    subject: 'Your payment for {plan} at {school} did not go through',
    lead: 'The payment of {amount} for {plan} at {school} did not go through. We try again on {date}. You keep your access until {until}.',
    action: 'Pay now',
    foot: 'Please check that your means of payment is valid and covered.',
  },
  pastDueLast: {
    subject: 'Your access to {plan} at {school} is about to end',
    lead: 'The payment of {amount} for {plan} at {school} did not go through, and we do not try again. You keep your access until {until}.',
    action: 'Pay now',
    foot: 'If you pay before that day, your subscription goes on.',
  },
  renewal: {
    subject: 'Your subscription to {plan} at {school} will be renewed',
    lead: 'Your subscription to {plan} at {school} will be renewed on {date}. You will be charged {amount}.',
    action: 'See your subscription',
    foot: 'If you do not want that, cancel before that day. You get this mail because the law asks us to remind you of charges like this one.',
  },
  renewalDue: {
    subject: 'Your subscription to {plan} at {school} will be renewed',
    lead: 'Your subscription to {plan} at {school} will be renewed on {date}, and {amount} will be due then. Nothing is charged by itself: we write to you how to pay.',
    action: 'See your subscription',
    foot: 'If you do not want that, cancel before that day. You get this mail because the law asks us to remind you of payments like this one.',
  },
  trial: {
    subject: 'Your trial of {plan} at {school} is about to end',
    lead: 'Your trial of {plan} at {school} ends on {date}. After it the subscription begins, and you will be charged {amount}.',
    action: 'See your subscription',
    foot: 'If you do not want that, cancel before that day. You get this mail because the law asks us to remind you of charges like this one.',
  },
  trialDue: {
    subject: 'Your trial of {plan} at {school} is about to end',
    lead: 'Your trial of {plan} at {school} ends on {date}. After it the subscription begins, and {amount} will be due. Nothing is charged by itself: we write to you how to pay.',
    action: 'See your subscription',
    foot: 'If you do not want that, cancel before that day. You get this mail because the law asks us to remind you of payments like this one.',
  },
  lapsed: {
    subject: 'Your subscription to {plan} at {school} has ended',
    lead: 'Your subscription to {plan} at {school} ended on {date}, because a payment was due and did not arrive.',
    action: 'Go to the school',
    foot: 'What you have done is kept: you go on where you were when you subscribe again.',
  },
  canceled: {
    subject: 'Your subscription to {plan} at {school} has ended',
    lead: 'Your subscription to {plan} at {school} was canceled and ended on {date}. Nothing more will be charged.',
    action: 'Go to the school',
    foot: 'What you have done is kept: you go on where you were when you subscribe again.',
  },
};
