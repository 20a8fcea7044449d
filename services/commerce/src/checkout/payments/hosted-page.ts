/** Where a person sees and pays an order: the page of its school, to which providers send them back. */
export const hostedPage = (issuer: string, order: string): string => `${issuer}/checkout/${order}`;
