import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { contentWith } from '../testing/catalog.ts';
import { type McpTestServer, openMcpTestServer } from '../testing/mcp-test-server.ts';

const body = [{ type: 'paragraph', text: [{ text: 'Cut *and* fold' }] }];
const posts = [
  { slug: 'lanterns', title: 'Lanterns # of paper', excerpt: 'For all', visibility: 'public', body },
  { slug: 'secret', title: 'Secret', excerpt: null, visibility: 'plans', locked: true, unlock: ['plan_1'] },
];

describe('posts for agents', () => {
  let edge: McpTestServer;
  beforeEach(async () => void (edge = await openMcpTestServer({ content: contentWith(posts) })));
  afterEach(() => edge.close());

  const listed = async (args: object) =>
    (await edge.modern('tools/call', { name: 'list_posts', arguments: args })).body['result'].structuredContent;

  test('are listed with the addresses of their pages, by tag and words', async () => {
    const { items } = await listed({ tag: 'paper', query: 'lan' });
    expect(items.map(({ url }: { url: string }) => url)).toEqual(
      ['lanterns', 'secret'].map((slug) => `${edge.school.issuer}/posts/${slug}`),
    );
    expect(new URL(edge.seen[0]!.url, 'http://a').searchParams.toString()).toBe('q=lan&tag=paper&limit=20');
  });

  test('are read by their slug: as JSON, and as Markdown with the text that is for the caller', async () => {
    const read = async (slug: string) =>
      (await edge.modern('resources/read', { uri: `school://posts/${slug}` })).body['result'].contents;
    const [json, words] = await read('lanterns');
    expect(JSON.parse(json.text)).toMatchObject({ title: 'Lanterns # of paper' });
    expect(words.text).toBe('# Lanterns \\# of paper\n\nFor all\n\nCut \\*and\\* fold');
    expect((await read('secret'))[1].text).toBe('# Secret');
    expect((await edge.modern('resources/read', { uri: 'school://posts/nowhere' })).body['error']).toBeDefined();
  });

  test('are completed by their slugs', async () => {
    const ref = { type: 'ref/resource', uri: 'school://posts/{slug}' };
    const { body: got } = await edge.modern('completion/complete', { ref, argument: { name: 'slug', value: 'lan' } });
    expect(got['result'].completion.values).toEqual(['lanterns']);
  });
});
