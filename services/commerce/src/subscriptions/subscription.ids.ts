const form = /^subscription_[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether a text is the id of a subscription. */
export const isSubscriptionId = (id: string): boolean => form.test(id);
