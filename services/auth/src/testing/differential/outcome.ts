/** What of an answer a client acts on, as one line: status, error code, what a redirect carries, the headers that matter. */
export async function outcomeOf(response: Response): Promise<string> {
  const parts = [String(response.status)];
  const text = await response.text();
  const location = response.headers.get('location');
  parts.push(...(location === null ? bodyOf(response, text) : redirectOf(location)));
  const scheme = /^(\w+)(?:.*?error="?(\w+))?/.exec(response.headers.get('www-authenticate') ?? '');
  if (scheme) parts.push(`challenge ${[scheme[1], scheme[2]].filter(Boolean).join(' ')}`);
  if (response.headers.has('allow')) parts.push('Allow');
  if (response.status !== 405 && !/no-store/.test(response.headers.get('cache-control') ?? ''))
    parts.push('may be kept');
  return parts.join(', ').replace(/^30[23]/, 'redirect');
}

function redirectOf(location: string): string[] {
  const target = new URL(location, 'http://server.invalid');
  if (target.hostname !== '127.0.0.1' || !target.pathname.endsWith('/callback')) return ['on to a page'];
  const told = target.searchParams.size > 0 ? target.searchParams : new URLSearchParams(target.hash.slice(1));
  const names = [...told.keys()].filter((name) => name !== 'error_description' && name !== 'error').sort();
  return [told.get('error') ?? 'no error', `with ${names.join(' ')}${target.hash === '' ? '' : ' in the fragment'}`];
}

function bodyOf(response: Response, text: string): string[] {
  const type = response.headers.get('content-type') ?? '';
  if (/html/.test(type)) return [response.status < 400 ? 'a page' : 'an error page'];
  if (!/json/.test(type)) return text === '' ? [] : ['text'];
  const body = JSON.parse(text) as Record<string, unknown>;
  if (typeof body['error'] === 'string') return [body['error']];
  return 'active' in body ? [body['active'] === true ? 'active' : 'not active'] : [];
}
