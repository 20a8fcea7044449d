import { spawn } from 'node:child_process';

const openers: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens an address in the person's browser, where there is one; the address is shown in any case. */
export function openBrowser(url: URL): void {
  const [command, ...given] = openers[process.platform] ?? ['xdg-open'];
  const child = spawn(command, [...given, url.href], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}
