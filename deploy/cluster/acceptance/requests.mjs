// What is asked under load: every way of the gateway that an acceptance watches, with and without a token.

/** Requests to a school; `signed` are headers with a token, which may be replaced while the load goes on. */
export function requestsTo({ host, course, signed }) {
  const quote = JSON.stringify({ items: [{ item_type: 'course', item_id: course }] });
  const headers = { host };
  return [
    { path: '/.well-known/oauth-authorization-server', headers },
    { path: '/api/courses', headers },
    { path: '/api/school', headers: signed },
    { path: '/api/lecturers', headers: signed },
    { path: '/api/oauth/jwks', headers },
    {
      path: '/api/checkout/quotes',
      method: 'POST',
      headers: { host, 'content-type': 'application/json' },
      body: quote,
    },
  ];
}
