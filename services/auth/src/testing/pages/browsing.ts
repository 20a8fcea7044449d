import type { Look } from '@lyceum/contracts';
import { launchBrowser, noBrowser } from '@lyceum/testkit';
import { once } from 'node:events';
import { type RequestListener, type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { pageHeaders } from '../../pages/layout/page-headers.ts';
import { languages } from '../../pages/texts/languages.ts';
import { gallery, schoolIn } from './gallery.ts';
import { lantern, unreadable } from './looks.ts';

const looks: Readonly<Record<string, Look>> = { lantern, unreadable };

type Browser = NonNullable<Awaited<ReturnType<typeof launchBrowser>>>;

/** A page of the browser. */
export type Page = Awaited<ReturnType<Browser['newPage']>>;

/** Servers on loopback, and the way to end them all. */
function loopbackServers() {
  const servers: Server[] = [];
  return {
    async serve(listener: RequestListener, host = '127.0.0.1'): Promise<number> {
      const server = createServer(listener).listen(0, host);
      servers.push(server);
      await once(server, 'listening');
      return (server.address() as AddressInfo).port;
    },
    close() {
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}

/**
 * The gallery behind a server: `/sign-in?lang=de&look=lantern`. Whatever is posted is kept, and answered by a redirect to
 * `leadsTo`. Without a browser on the machine `browser` is undefined.
 */
export async function browseGallery() {
  const servers = loopbackServers();
  const posted: URLSearchParams[] = [];
  const onward = { leadsTo: '/answered' };
  const port = await servers.serve(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://gallery');
    const look = looks[searchParams.get('look') ?? ''];
    if (request.method !== 'POST') {
      const shown = gallery[pathname]?.(
        languages[(searchParams.get('lang') ?? 'en') as keyof typeof languages],
        schoolIn(look),
      );
      return response.writeHead(200, pageHeaders(look)).end(shown ?? '');
    }
    posted.push(new URLSearchParams(await text(request)));
    return response.writeHead(303, { ...pageHeaders(), Location: onward.leadsTo }).end();
  });
  const at = (path: string): string => `http://127.0.0.1:${port}${path}`;
  const browser = await launchBrowser();
  if (!browser) process.stderr.write(`skipped: pages in a browser (${noBrowser})\n`);

  async function open(path: string, options: Parameters<Browser['newPage']>[0] = {}) {
    const page = await browser!.newPage(options);
    const complaints: string[] = [];
    const requests: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => requests.push(request.url()));
    await page.goto(at(path));
    return { page, complaints, requests };
  }

  async function close() {
    await browser?.close();
    servers.close();
  }
  return { browser, servers, posted, onward, at, open, close };
}
