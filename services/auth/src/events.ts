import type { EventTypes } from '@lyceum/kernel';
import { accountEvents } from './domain/accounts/account.events.ts';
import { clientEvents } from './domain/clients/client.events.ts';
import { consentEvents } from './domain/consents/consent.events.ts';
import { grantEvents } from './domain/grants/grant.events.ts';
import { refreshRetryEvents } from './domain/grants/refresh-retries.events.ts';
import { keyRingEvents } from './domain/keys/key-ring.events.ts';
import { sessionEvents } from './domain/sessions/session.events.ts';
import { deliveryEvents, receiptEvents } from './mails/delivery.events.ts';
import { recoveryEvents } from './recovery/recovery.events.ts';
import { signUpEvents } from './sign-up/sign-up.events.ts';

/** All event types of this service. */
export const authEvents: readonly EventTypes[] = [
  accountEvents,
  clientEvents,
  consentEvents,
  deliveryEvents,
  grantEvents,
  keyRingEvents,
  receiptEvents,
  recoveryEvents,
  refreshRetryEvents,
  sessionEvents,
  signUpEvents,
];
