import { accessSync, constants } from 'node:fs';
import type { Browser } from 'playwright-core';

const usual = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

const quiet = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** Why there is no browser, and what would help. */
export const noBrowser = 'no Chromium found: set CHROMIUM_PATH or install one at a usual place';

/**
 * A headless Chromium of the machine (`CHROMIUM_PATH`, else the usual places), or undefined when there is none, so
 * that a suite can skip itself and say so. Throws instead when `REQUIRE_BACKING_SERVICES=1`, when `CHROMIUM_PATH`
 * names no program, and when the program does not start. The caller closes it.
 */
export async function launchBrowser(): Promise<Browser | undefined> {
  const { CHROMIUM_PATH: wanted, REQUIRE_BACKING_SERVICES: required } = process.env;
  const executablePath = (wanted ? [wanted] : usual).find(isExecutable);
  if (!executablePath) {
    if (wanted || required === '1') throw new Error(wanted ? `CHROMIUM_PATH is no program: ${wanted}` : noBrowser);
    return undefined;
  }
  const { chromium } = await import('playwright-core');
  // Chromium refuses its sandbox to root.
  const args = process.getuid?.() === 0 ? [...quiet, '--no-sandbox'] : quiet;
  return chromium.launch({ executablePath, args, headless: true });
}
