import { heads } from '@lyceum/service';
import { type Operation, operation } from '@lyceum/web';
import type { CommercePorts } from '../../ports/commerce-ports.ts';
import { cancelBody, extendBody, subscriptionParams, subscriptionReply } from './subscription.schema.ts';
import { answerTo, command } from './subscription.writing.ts';

const path = '/api/subscriptions/{subscription}';

const changing = {
  method: 'POST',
  area: 'subscriptions',
  scope: 'subscriptions:write',
  anonymous: false,
  roles: heads,
  params: subscriptionParams,
  ifMatch: 'accepted',
  status: 200,
  reply: subscriptionReply,
  errors: ['already_canceled', 'invalid_state', 'not_found'],
} as const;

/** Ends a subscription, by the staff. */
const cancelSubscription = (ports: CommercePorts): Operation =>
  operation({
    ...changing,
    id: 'cancelSubscription',
    path: `${path}/cancel`,
    summary: 'Cancel a subscription',
    description:
      'With its period, unless stated: until then it stays as it is, and can be resumed. At once where a payment is due or it is paused. Nothing is paid back by it: see refunds.',
    body: cancelBody,
    async handle(call) {
      const { at, reason } = call.body;
      const cancel = { type: 'CancelSubscription', at, reason, by: 'staff' } as const;
      return answerTo(await command(ports, call, call.params.subscription, (now) => ({ ...cancel, now })), 'staff');
    },
  });

/** Lets a subscription go on, by the staff. */
const resumeSubscription = (ports: CommercePorts): Operation =>
  operation({
    ...changing,
    id: 'resumeSubscription',
    path: `${path}/resume`,
    summary: 'Resume a subscription',
    description:
      'One that was to end with its period goes on after all; one that is paused goes on, with the days that were left.',
    handle: async (call) =>
      answerTo(
        await command(ports, call, call.params.subscription, (now) => ({ type: 'ResumeSubscription', now })),
        'staff',
      ),
  });

/** Lets a subscription rest, by the staff. */
const pauseSubscription = (ports: CommercePorts): Operation =>
  operation({
    ...changing,
    id: 'pauseSubscription',
    path: `${path}/pause`,
    summary: 'Pause a subscription',
    description: 'Access rests, and nothing is charged; the days that are left are kept.',
    handle: async (call) =>
      answerTo(
        await command(ports, call, call.params.subscription, (now) => ({ type: 'PauseSubscription', now })),
        'staff',
      ),
  });

/** Gives more days, by the staff. */
const extendSubscription = (ports: CommercePorts): Operation =>
  operation({
    ...changing,
    id: 'extendSubscription',
    path: `${path}/extend`,
    summary: 'Extend a subscription',
    description: 'The present period, or the trial, lasts so many days longer, and costs no more for it.',
    body: extendBody,
    async handle(call) {
      const { days } = call.body;
      const extend = { type: 'ExtendSubscription', days } as const;
      return answerTo(await command(ports, call, call.params.subscription, (now) => ({ ...extend, now })), 'staff');
    },
  });

/** What the staff do with subscriptions that there are, beside changes of the plan. */
export const subscriptionCommands = (ports: CommercePorts): readonly Operation[] => [
  cancelSubscription(ports),
  resumeSubscription(ports),
  pauseSubscription(ports),
  extendSubscription(ports),
];
