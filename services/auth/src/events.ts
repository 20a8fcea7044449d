import type { EventTypes } from '@lyceum/kernel';
import { accountEvents } from './accounts/account.events.ts';
import { clientEvents } from './clients/client.events.ts';
import { consentEvents } from './consents/consent.events.ts';
import { deliveryEvents, receiptEvents } from './deliveries/delivery.events.ts';
import { grantEvents } from './grants/grant.events.ts';
import { refreshRetryEvents } from './grants/refresh-retries.events.ts';
import { keyRingEvents } from './keys/key-ring.events.ts';
import { recoveryEvents } from './recovery/recovery.events.ts';
import { sessionEvents } from './sessions/session.events.ts';
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
