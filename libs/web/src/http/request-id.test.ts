import { expect, test } from '@jest/globals';
import { requestIdOf } from './request-id.ts';

const ids = { next: (kind: string) => `${kind}_new` };

test.each([
  ['abc-1.2:3_4', 'abc-1.2:3_4'],
  ['x'.repeat(64), 'x'.repeat(64)],
  ['x'.repeat(65), 'req_new'],
  ['two words', 'req_new'],
  ['line\nbreak', 'req_new'],
  ['', 'req_new'],
  [undefined, 'req_new'],
  [['one', 'two'], 'req_new'],
])('the request id %j becomes %s: a log line shows nothing that a client made up freely', (sent, id) => {
  expect(requestIdOf(sent, ids)).toBe(id);
});
