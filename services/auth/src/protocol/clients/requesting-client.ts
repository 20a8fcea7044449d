import type { Policy } from '@lyceum/web';
import type { KnownClient } from '../../domain/clients/client-registry.ts';
import type { Step } from '../../http/exchange/exchange.ts';
import { slot } from '../../http/exchange/slot.ts';
import { limitBy } from '../../http/steps/limits.ts';

/** The client that the request is about: authenticated, or checked as far as the endpoint demands. */
export const clientSlot = slot<KnownClient>('the client');

/** Counts by the authenticated client, from every address together. */
export const limitByClient = (policy: Policy): Step => limitBy(policy, (exchange) => [exchange.require(clientSlot).id]);
