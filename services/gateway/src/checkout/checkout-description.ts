type Json = Readonly<Record<string, unknown>>;

const page = (description: string): Json => ({
  description,
  content: { 'text/html': { schema: { type: 'string' } } },
});
const text = (description: string): Json => ({ type: 'string', description });
const form = (properties: Readonly<Record<string, Json>>, required: readonly string[]): Json => ({
  required: true,
  content: { 'application/x-www-form-urlencoded': { schema: { type: 'object', properties, required } } },
});

const about = { tags: ['checkout'], security: [] };
const csrf = text('As the page gave it');
const item = {
  type: 'array',
  items: text('`course:`, `digital_product:`, `event:` or `membership_plan:` with an id or slug'),
};
const order = {
  name: 'order',
  in: 'path',
  required: true,
  description: 'Id of the order',
  schema: { type: 'string' },
};
const forPeople = 'A page for people. Programs use POST /api/checkout.';
const problems = {
  403: page('The form did not come from the page'),
  413: page('The form is too long'),
  429: page('Too many tries; wait as Retry-After says'),
  503: page('Not available at the moment'),
};
const unsold = { 404: page('Nothing of that name is sold'), 409: page('It cannot be bought, and why'), ...problems };
const hidden = { 404: page('There is no such order for this browser'), 503: problems[503] };

/** The pages of the checkout, as the OpenAPI document describes them. */
export const checkoutPaths: Readonly<Record<string, Json>> = {
  '/checkout': {
    get: {
      ...about,
      operationId: 'openCheckoutPage',
      summary: 'The page on which a person buys',
      description: `${forPeople} Shows what is bought and what it costs now. A member who is signed in buys for the account, everybody else as a guest.`,
      parameters: [
        { name: 'item', in: 'query', required: true, description: 'What is bought', schema: item },
        { name: 'coupon', in: 'query', description: 'Code of a coupon', schema: { type: 'string' } },
      ],
      responses: { 200: page('The page'), 400: page('The page: the coupon does not count'), ...unsold },
    },
    post: {
      ...about,
      operationId: 'buyByForm',
      summary: 'The form of the checkout page',
      description: `${forPeople} The same form buys once, however often it is sent.`,
      requestBody: form(
        {
          csrf,
          key: text('As the page gave it: by it the form buys once'),
          expected: text('What the page said that it costs'),
          item,
          coupon: text('Code of a coupon'),
          email: text('E-mail address of a guest'),
          name: text('Name of a guest'),
        },
        ['csrf', 'key', 'expected', 'item'],
      ),
      responses: {
        303: { description: 'On to the payment, or to the page of the order' },
        400: page('A field is not acceptable'),
        ...unsold,
      },
    },
  },
  '/checkout/{order}': {
    get: {
      ...about,
      operationId: 'openOrderPage',
      summary: 'The page of an order, for its buyer',
      description: `${forPeople} For its member, or in the browser in which a guest placed it. How to pay, and the receipt.`,
      parameters: [order],
      responses: { 200: page('The page'), ...hidden },
    },
    post: {
      ...about,
      operationId: 'changeOrderByForm',
      summary: 'The buttons of the page of an order',
      description: `${forPeople} Pays again after a payment failed. Where payments are only tested, says what becomes of one.`,
      parameters: [order],
      requestBody: form({ csrf, do: { type: 'string', enum: ['retry', 'succeed', 'fail'] } }, ['csrf', 'do']),
      responses: { 303: { description: 'On to the payment, or back to the page' }, ...hidden, ...problems },
    },
  },
};
