import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, type Place, call, demoHistory, describeWithHistory, patience } from '@lyceum/testkit';
import { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { inForce } from '../../testing/in-force.ts';

interface Listed {
  readonly slug: string;
}

/** What a tool of the MCP server answers. */
interface Said {
  readonly structuredContent?: { readonly [list: string]: unknown };
}

/** What the demo schools show: on their site, in their feeds and calendars, and to agents. */
await describeWithHistory('the content of the demo', ({ open }) => {
  let system: Place;
  let close: () => Promise<unknown>;
  let staff: string;
  const get = async (path: string, token?: string) => call(`${system.baseUrl}${path}`, token ? { token } : {});
  const text = async (path: string, base = system.baseUrl) =>
    (await call(base + path, { headers: { accept: 'text/html' } })).body as string;
  /** The document of a path, once it says so: the gateway keeps what it shows for some seconds. */
  const saying = (path: string, what: string, base?: string) =>
    inForce(
      patience,
      () => text(path, base),
      (shown) => shown.includes(what),
    );

  beforeAll(async () => {
    ({ system, close } = await open());
    await demoHistory(system);
    const client = await Client.register(system.baseUrl);
    const scope = 'events:read forms:read pages:read posts:read';
    ({ access_token: staff } = await client.tokens('owner@lantern.test', system.password, scope));
  }, 600_000);
  afterAll(() => close());

  test.each([
    ['/', 'Make something that glows'],
    ['/posts', 'An evening at the river'],
    ['/posts/evening-at-the-river', 'gloves'],
    ['/posts/indigo-diary', 'A diary for those who have a plan'],
    ['/posts.atom', '/posts/evening-at-the-river'],
    ['/p/visit', 'Rua das Flores 12'],
    ['/p/terms', 'The law of Portugal applies'],
    ['/events/open-evening', 'carp streamers'],
    ['/events/calendar.ics', 'Ask Inês'],
    ['/events/open-evening/calendar.ics', 'SUMMARY'],
    ['/sitemap.xml', '/p/visit'],
    ['/llms.txt', '/posts/welcome'],
  ])('%s says: %s', async (path, what) => {
    expect(await saying(path, what)).toContain(what);
  });

  test('what is for others, is not published yet or any more, stays out of it', async () => {
    expect(await text('/posts/indigo-diary')).not.toContain('low tide');
    for (const slug of ['opening-hours-in-summer', 'the-parade-how-to-join', 'what-bamboo-taught-us'])
      expect([slug, (await get(`/api/posts/${slug}`)).status]).toEqual([slug, 404]);
    expect((await fetch(`${system.baseUrl}/p/festival`, { redirect: 'manual' })).status).toBe(404);
  });

  test('the other school has other things under the same addresses', async () => {
    expect(await saying('/posts/welcome', 'Welcome aboard', system.northQuayUrl)).not.toContain('Lantern');
    expect(await saying('/events/open-evening', 'bring a song', system.northQuayUrl)).not.toContain('carp');
  });

  test('its pictures are there', async () => {
    const { cover } = (await get('/api/posts/evening-at-the-river')).body;
    const picture = await inForce(
      patience,
      () => fetch(cover),
      ({ ok }) => ok,
    );
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
  });

  test('all seats of an evening are taken, as commerce counts them, and others wait', async () => {
    const event = await inForce(
      patience,
      async () => (await get('/api/events/open-evening', staff)).body,
      ({ seats_taken }) => seats_taken === 6,
    );
    expect(event).toMatchObject({ capacity: 6, seats_taken: 6, seats: 'none', registration: 'waitlist' });
    const { data } = (await get(`/api/events/${event.id}/registrations?limit=100`, staff)).body;
    const statuses = data.map(({ status }: { status: string }) => status).toSorted();
    expect(statuses).toEqual([...Array(6).fill('confirmed'), ...Array(3).fill('waitlisted')]);
  });

  test('agents find its events and posts', async () => {
    const host = new McpClient({ name: 'test', version: '1.0.0' });
    await host.connect(new StreamableHTTPClientTransport(new URL(`${system.baseUrl}/mcp`)));
    try {
      const slugs = async (name: string) => {
        const { structuredContent = {} } = (await host.callTool({ name, arguments: {} })) as Said;
        const [list = []] = Object.values(structuredContent).filter((each) => Array.isArray(each));
        return (list as readonly Listed[]).map(({ slug }) => slug);
      };
      const posts = await inForce(
        patience,
        () => slugs('list_posts'),
        (all) => all.length > 4,
      );
      expect(posts).toEqual(expect.arrayContaining(['welcome', 'evening-at-the-river', 'repairing-a-torn-lantern']));
      expect(await slugs('list_events')).toEqual(expect.arrayContaining(['open-evening', 'ask-ines']));
    } finally {
      await host.close();
    }
  });
});
