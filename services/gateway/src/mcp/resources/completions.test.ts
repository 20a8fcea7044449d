import { expect, test } from '@jest/globals';
import { promptList } from './prompts.ts';
import { catalog } from '../testing/catalog.ts';
import { openMcpTestServer } from '../testing/mcp-test-server.ts';

test('every argument of every prompt is completed out of what the school has, the fitting beginnings first', async () => {
  const edge = await openMcpTestServer({ catalog });
  const complete = async (prompt: string, name: string, value: string) => {
    const params = { ref: { type: 'ref/prompt', name: prompt }, argument: { name, value } };
    return (await edge.modern('completion/complete', params)).body['result'].completion;
  };
  for (const { name, arguments: all } of promptList.prompts)
    for (const argument of all) {
      const { values } = await complete(name, argument.name, '');
      expect([name, argument.name, values.length > 0 && values.length <= 100]).toEqual([name, argument.name, true]);
    }
  expect((await complete('recommend_course', 'budget', '')).values).toEqual(['$49.00']);
  expect((await complete('compare_courses', 'slugs', 'course-1,course-2')).values[0]).toBe('course-1,course-2');
  expect((await complete('build_learning_path', 'weeks', '2')).values).toEqual(['2', '12', '24'].sort(byPlaceOf2));
  await edge.close();
});

test('MCP 2026-07-28 completion: an argument without completions completes to an empty list, an unknown prompt is -32602', async () => {
  const edge = await openMcpTestServer({ catalog });
  const complete = async (ref: object, name: string) =>
    (await edge.modern('completion/complete', { ref, argument: { name, value: '' } })).body;
  const nothing = { values: [], total: 0, hasMore: false };
  for (const ref of [
    { type: 'ref/prompt', name: 'recommend_course' },
    { type: 'ref/resource', uri: 'school://courses/{slug}' },
  ])
    for (const name of ['mood', 'constructor'])
      expect((await complete(ref, name))['result']?.completion).toEqual(nothing);
  for (const ref of [
    { type: 'ref/prompt', name: 'write_poem' },
    { type: 'ref/resource', uri: 'school://poems/{slug}' },
  ])
    expect((await complete(ref, 'slug'))['error'].code).toBe(-32602);
  await edge.close();
});

/** `2` begins `2` and `24`, and ends `12`. */
const byPlaceOf2 = (a: string, b: string): number => a.indexOf('2') - b.indexOf('2');
