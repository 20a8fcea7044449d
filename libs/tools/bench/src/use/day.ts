import { Client, call, loopbackFetch } from '@lyceum/testkit';

export const scope = 'openid courses:read courses:write';

/** A course of a school. */
async function anyCourse(url: string): Promise<string> {
  const { data } = (await call(`${url}/api/courses?limit=20`)).body;
  return data[Math.floor(Math.random() * data.length)].id;
}

/**
 * One after the other, what a lecturer and visitors of a school do all day: tokens, reads, pages, and a change now and then.
 * Throws when one of them is refused.
 */
export async function* dayOf(url: string, owner: string, password: string): AsyncGenerator<void, never, undefined> {
  const client = await Client.register(url);
  let tokens = await client.tokens(owner, password, scope);
  const course = `${url}/api/courses/${await anyCourse(url)}`;
  const right = async (asked: Promise<{ readonly status: number }>) => {
    const { status } = await asked;
    if (status !== 200) throw new Error(`a request was answered ${status}`);
  };
  for (let turn = 0; ; turn += 1) {
    const token = tokens.access_token;
    yield right(loopbackFetch(`${url}/.well-known/oauth-authorization-server`));
    yield right(call(`${url}/api/courses`));
    yield right(call(course, { token }));
    yield right(loopbackFetch(url, { headers: { accept: 'text/html' } }));
    yield right(call(course, { token, method: 'PATCH', json: { subtitle: `Turn ${turn}` } }));
    yield client.refresh(tokens.refresh_token).then(({ body }) => void (tokens = body));
  }
}
