import { codeOf, isoTime } from '@lyceum/kernel';
import { Problem, logFailure, problemFrom } from '@lyceum/web';
import type { Readable } from 'node:stream';
import { localFormToken } from '../http/csrf/local-form.ts';
import type { Exchange, Step } from '../http/exchange/exchange.ts';
import { pageReply } from '../http/replies/page-reply.ts';
import { linkPaths } from '../local-paths.ts';
import { confirmPage } from '../pages/confirm-page.ts';
import { html } from '../pages/markup/html.ts';
import { sentence } from '../pages/markup/sentence.ts';
import { tokenOf } from '../recovery/followed-link.ts';
import { exportArchive } from './export-archive.ts';
import { TakenTooSlowly, endWithin, longestDownload, takeSlot } from './export-slots.ts';
import { exportedAccount } from './followed-export.ts';

/** Offers the download. Opening the link reads nothing: mail programs open links too. */
export const showExport: Step = async (exchange) => {
  const { school, texts } = exchange;
  await exportedAccount(exchange);
  exchange.reply = pageReply(exchange, confirmPage, {
    form: { action: linkPaths.export, hidden: { token: tokenOf(exchange), csrf: localFormToken(exchange) } },
    title: texts.exportTitle,
    message: sentence(texts, 'exportLead', { school: html`<bdi>${school.name}</bdi>` }),
    yes: texts.exportDownload,
  });
};

/** Sends all that is known of the person; breaks off what is not taken within so many milliseconds. */
export const downloadWithin =
  (milliseconds: number): Step =>
  async (exchange) => {
    const { ports, school, texts } = exchange;
    const account = await exportedAccount(exchange);
    const leave = takeSlot(school.id, account);
    try {
      const at = isoTime(ports.clock.now());
      const check = async () => void (await exportedAccount(exchange));
      const archive = await exportArchive(ports, { school: school.id, account, texts, name: school.name, at, check });
      archive.once('close', leave);
      archive.once('error', (error) => reportBroken(exchange, error));
      endWithin(archive, milliseconds);
      exchange.reply = replyOf(archive, at);
    } catch (cause) {
      leave();
      throw unavailable(cause);
    }
  };

/** The download, as often as they like while the link works: one of a person at a time. */
export const downloadExport = downloadWithin(longestDownload);

const replyOf = (stream: Readable, at: string) => ({
  status: 200,
  stream,
  headers: {
    'Content-Type': 'application/zip',
    'Content-Disposition': `attachment; filename="account-${at.slice(0, 10)}.zip"`,
    'Cache-Control': 'no-store, no-transform',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
  },
});

const unavailable = (cause: unknown): Problem =>
  new Problem('temporarily_unavailable', 'A part of the school does not answer, and your data would not be whole', {
    headers: { 'Retry-After': '10' },
    cause,
  });

/** The client sees that the file breaks off; why, the log says. A client that went away is no failure. */
function reportBroken({ ports, requestId }: Exchange, error: Error): void {
  if (codeOf(error) === 'ERR_STREAM_PREMATURE_CLOSE') return;
  const request = { service: 'auth', request_id: requestId, route: linkPaths.export };
  if (error instanceof TakenTooSlowly) ports.logger.info(request, error.message);
  else logFailure(ports.logger, request, problemFrom(error));
}
