import { afterEach, expect, test } from '@jest/globals';
import { launchBrowser } from './browser.ts';

const before = process.env['CHROMIUM_PATH'];

afterEach(() => {
  if (before === undefined) delete process.env['CHROMIUM_PATH'];
  else process.env['CHROMIUM_PATH'] = before;
});

test('a CHROMIUM_PATH that names no program is an error, never a quiet skip', async () => {
  process.env['CHROMIUM_PATH'] = '/no/such/browser';
  await expect(launchBrowser()).rejects.toThrow('CHROMIUM_PATH is no program: /no/such/browser');
});
