import { beforeEach, describe, expect, test } from '@jest/globals';
import { FakeClock } from '@lyceum/testkit';
import { type Egress, type EgressAnswer, EgressRefused } from './egress.ts';
import { RemoteBusy, RemoteJson, type RemoteLimits, RemoteRefused } from './remote-json.ts';

const url = 'https://app.example/doc.json';
const minute = 60_000;
const serviceQueryClient = { school: 'school_1', isTrusted: false };
const good = (headers: Record<string, string> = {}): EgressAnswer => ({
  status: 200,
  headers: { 'content-type': 'application/json', ...headers },
  text: '{"a":1}',
});

let clock: FakeClock;
let asked: string[];
let answer: () => Promise<EgressAnswer>;
beforeEach(() => {
  clock = new FakeClock();
  asked = [];
  answer = async () => good();
});
const egress: Egress = {
  send(request) {
    asked.push(request.url);
    return answer();
  },
};
const remote = (limits: Partial<RemoteLimits> = {}) => new RemoteJson(egress, clock, limits);

/** How long a document is kept: the requests that a look after each time costs. */
async function keptFor(...times: readonly number[]) {
  const documents = remote();
  await documents.get(url, serviceQueryClient).catch(() => undefined);
  const begun = clock.now();
  const counts: number[] = [];
  for (const time of times) {
    clock.advance(begun + time - clock.now());
    await documents.get(url, serviceQueryClient).catch(() => undefined);
    counts.push(asked.length);
  }
  return counts;
}

describe('documents of strangers', () => {
  test('RFC 9111 §5.2.2: are kept as long as max-age says', async () => {
    answer = async () => good({ 'cache-control': 'public, max-age=600' });
    expect(await keptFor(600_000 - 1, 600_000)).toEqual([1, 2]);
  });

  test.each(['max-age=0', 'no-store', 'no-cache, max-age=600'])('are kept 30 seconds at least: %s', async (value) => {
    answer = async () => good({ 'cache-control': value });
    expect(await keptFor(30_000 - 1, 30_000)).toEqual([1, 2]);
  });

  test('are kept a day at most, and five minutes when nothing is said', async () => {
    expect(await keptFor(5 * minute - 1, 5 * minute)).toEqual([1, 2]);
    asked = [];
    answer = async () => good({ 'cache-control': 'max-age=9999999' });
    expect(await keptFor(24 * 60 * minute - 1, 24 * 60 * minute)).toEqual([1, 2]);
  });

  test('that are refused are not asked for again for a minute', async () => {
    answer = () => Promise.reject(new EgressRefused('connection'));
    expect(await keptFor(minute - 1, minute)).toEqual([1, 2]);
  });

  test('are asked for once by all who want them at the same time', async () => {
    let give!: (answer: EgressAnswer) => void;
    answer = () => new Promise((resolve) => (give = resolve));
    const documents = remote();
    const all = Array.from({ length: 20 }, () => documents.get(url, serviceQueryClient));
    give(good());
    expect(await Promise.all(all)).toEqual(Array.from({ length: 20 }, () => ({ a: 1 })));
    expect(asked).toHaveLength(1);
  });

  test('may be asked for again when something new may be in them, but not within 30 seconds', async () => {
    const documents = remote();
    await documents.get(url, serviceQueryClient);
    await documents.renew(url, serviceQueryClient);
    clock.advance(30_000);
    await documents.renew(url, serviceQueryClient);
    expect(asked).toHaveLength(2);
  });

  test.each<[string, Partial<EgressAnswer>]>([
    ['another status', { status: 404 }],
    ['a redirect', { status: 301 }],
    ['no content', { status: 204, text: '' }],
    ['a page', { headers: { 'content-type': 'text/html' } }],
    ['no content type', { headers: {} }],
    ['a type that only begins like JSON', { headers: { 'content-type': 'application/jsonp' } }],
    ['broken JSON', { text: '{' }],
    ['a list', { text: '[]' }],
    ['null', { text: 'null' }],
  ])('are refused when the answer is %s', async (_, more) => {
    answer = async () => ({ ...good(), ...more });
    await expect(remote().get(url, serviceQueryClient)).rejects.toThrow(RemoteRefused);
  });

  test.each(['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/client-metadata+json'])(
    'may have the type %s',
    async (type) => {
      answer = async () => good({ 'content-type': type });
      expect(await remote().get(url, serviceQueryClient)).toEqual({ a: 1 });
    },
  );

  test('of one origin are asked for so often in a minute, and others are not held up', async () => {
    const documents = remote({ perOrigin: 2 });
    const at = (origin: string, count: number) =>
      Promise.all(Array.from({ length: count }, (_, each) => documents.get(`${origin}/${each}`, serviceQueryClient)));
    await at('https://a.example', 2);
    await expect(documents.get('https://a.example/3', serviceQueryClient)).rejects.toThrow(RemoteBusy);
    await at('https://a.example', 2);
    await at('https://b.example', 2);
    clock.advance(minute);
    await documents.get('https://a.example/3', serviceQueryClient);
    expect(asked).toHaveLength(5);
  });

  test('are not fetched by more than so many requests at once', async () => {
    answer = () => new Promise(() => undefined);
    const documents = remote({ mostAtOnce: 2 });
    void documents.get('https://a.example/1', serviceQueryClient);
    void documents.get('https://b.example/1', serviceQueryClient);
    await expect(documents.get('https://c.example/1', serviceQueryClient)).rejects.toThrow(RemoteBusy);
  });

  test('are fetched for one school by so many at once, and the others are not held up', async () => {
    answer = () => new Promise(() => undefined);
    const documents = remote({ mostForSchool: 2 });
    const ask = (school: string, each: number) =>
      documents.get(`https://${school}.example/${each}`, { ...serviceQueryClient, school });
    for (const each of [1, 2]) void ask('school_1', each);
    await expect(ask('school_1', 3)).rejects.toThrow(RemoteBusy);
    void ask('school_2', 1);
    expect(asked).toHaveLength(3);
  });

  test('give their places back, also when they are refused', async () => {
    const documents = remote({ mostForSchool: 1, mostAtOnce: 1 });
    await documents.get('https://a.example/1', serviceQueryClient);
    answer = () => Promise.reject(new EgressRefused('timeout'));
    await expect(documents.get('https://a.example/2', serviceQueryClient)).rejects.toThrow(RemoteRefused);
    answer = async () => good();
    await documents.get('https://a.example/3', serviceQueryClient);
    expect(asked).toHaveLength(3);
  });

  test('of those who have access are fetched however many strangers ask, and at the same origin, too', async () => {
    answer = () => new Promise(() => undefined);
    const documents = remote({ mostForSchool: 1, mostAtOnce: 1, perOrigin: 1 });
    void documents.get('https://a.example/1', serviceQueryClient);
    await expect(documents.get('https://a.example/2', serviceQueryClient)).rejects.toThrow(RemoteBusy);
    void documents.get('https://a.example/3', { ...serviceQueryClient, isTrusted: true });
    expect(asked).toHaveLength(2);
  });

  test('of those who have access are forgotten last', async () => {
    const documents = remote({ mostKept: 2 });
    await documents.get('https://a.example/1', { ...serviceQueryClient, isTrusted: true });
    for (const each of [2, 3, 4, 1]) await documents.get(`https://a.example/${each}`, serviceQueryClient);
    expect(asked.map((address) => address.at(-1))).toEqual(['1', '2', '3', '4']);
  });

  test('beyond a number of bytes the oldest is forgotten', async () => {
    const documents = remote({ mostKeptBytes: 2 * '{"a":1}'.length });
    for (const each of [1, 2, 3, 1, 3]) await documents.get(`https://a.example/${each}`, serviceQueryClient);
    expect(asked.map((address) => address.at(-1))).toEqual(['1', '2', '3', '1']);
  });

  test('beyond a number the oldest is forgotten', async () => {
    const documents = remote({ mostKept: 2 });
    for (const each of [1, 2, 3, 1]) await documents.get(`https://a.example/${each}`, serviceQueryClient);
    expect(asked).toHaveLength(4);
    await documents.get('https://a.example/3', serviceQueryClient);
    expect(asked).toHaveLength(4);
  });
});
