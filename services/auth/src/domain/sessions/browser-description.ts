import type { SignedInFrom } from './session.ts';

/** Names in the order in which they must be looked for: most browsers also claim to be those below them. */
const browsers: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|Opera|OPT)\//, 'Opera'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bWhale\//, 'Whale'],
  [/\bYaBrowser\//, 'Yandex'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|Chromium|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/[\d.]{1,20} (?:Mobile(?:\/\w{1,20})? )?Safari\//, 'Safari'],
];

const systems: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\biPad\b/, 'iPadOS'],
  [/\biPhone\b|\biPod\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b|\bMac OS X\b/, 'macOS'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
];

const nameIn = (agent: string, names: typeof browsers): string | undefined =>
  names.find(([pattern]) => pattern.test(agent))?.[1];

/**
 * The family of a browser and of its system, from `User-Agent`: enough for a person to tell their own browsers apart, and
 * nothing that tells one person from another. What is not known is absent.
 */
export function describeBrowser(userAgent = ''): Pick<SignedInFrom, 'browser' | 'system'> {
  const agent = userAgent.slice(0, 500);
  const [browser, system] = [nameIn(agent, browsers), nameIn(agent, systems)];
  return { ...(browser ? { browser } : {}), ...(system ? { system } : {}) };
}
