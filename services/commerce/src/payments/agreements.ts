import type { ProviderName } from './payment-provider.ts';

/** Whether a provider can charge later without the person, by an agreement that it saves with a payment. */
export const savesAgreements = (provider: ProviderName): boolean => provider !== 'manual';
