/** Below it is where payment providers send what happened, without a token: what they send is signed. */
export const webhookPath = '/api/payments/webhooks';
