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

/** Downloads of one school at the same time, in this process. */
const mostAtOnce = 4;
const running = new Map<string, number>();

/** Sends all that is known of the person, as often as they like while the link works. */
export const downloadExport: Step = async (exchange) => {
  const { ports, school, texts } = exchange;
  const account = await exportedAccount(exchange);
  const left = enter(school.id);
  try {
    const at = isoTime(ports.clock.now());
    const check = async () => void (await exportedAccount(exchange));
    const archive = await exportArchive(ports, { school: school.id, account, texts, name: school.name, at, check });
    archive.once('close', left);
    archive.once('error', (error) => reportBroken(exchange, error));
    exchange.reply = replyOf(archive, at);
  } catch (cause) {
    left();
    throw unavailable(cause);
  }
};

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

/** Counts a download of the school, and gives what ends it. Throws when too many are under way. */
function enter(school: string): () => void {
  const now = running.get(school) ?? 0;
  if (now >= mostAtOnce)
    throw new Problem('temporarily_unavailable', 'Others are downloading already: try again in a moment', {
      headers: { 'Retry-After': '10' },
    });
  running.set(school, now + 1);
  return () => {
    const left = (running.get(school) ?? 1) - 1;
    if (left > 0) running.set(school, left);
    else running.delete(school);
  };
}

const unavailable = (cause: unknown): Problem =>
  new Problem('temporarily_unavailable', 'A part of the school does not answer, and your data would not be whole', {
    headers: { 'Retry-After': '10' },
    cause,
  });

/** The client sees that the file breaks off; why, the log says. A client that went away is no failure. */
function reportBroken({ ports, requestId }: Exchange, error: Error): void {
  if (codeOf(error) === 'ERR_STREAM_PREMATURE_CLOSE') return;
  logFailure(ports.logger, { service: 'auth', request_id: requestId, route: linkPaths.export }, problemFrom(error));
}
