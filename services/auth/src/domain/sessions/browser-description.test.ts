import { describe, expect, test } from '@jest/globals';
import { describeBrowser } from './browser-description.ts';

describe('a browser as a person knows it', () => {
  test.each([
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox', 'Linux'],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0',
      'Edge',
      'Windows',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Safari/605.1.15',
      'Safari',
      'macOS',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/142.0 Mobile/15E148 Safari/604.1',
      'Chrome',
      'iOS',
    ],
    [
      'Mozilla/5.0 (Linux; Android 16; SM-S931B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/29.0 Chrome/136.0 Mobile Safari/537.36',
      'Samsung Internet',
      'Android',
    ],
  ])('%s', (agent, browser, system) => {
    expect(describeBrowser(agent)).toEqual({ browser, system });
  });

  test.each([undefined, '', 'curl/8.5.0', '<script>'])('nothing is made up for %j', (agent) => {
    expect(describeBrowser(agent)).toEqual({});
  });

  test('takes no time over a long one', () => {
    expect(describeBrowser(`${'Version/1 '.repeat(100_000)}Firefox/1`)).toEqual({});
  });
});
