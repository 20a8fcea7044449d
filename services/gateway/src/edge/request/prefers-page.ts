import type { IncomingMessage } from 'node:http';

/** Media ranges of one Accept line that are read. */
const most = 30;

/**
 * Whether a person's browser asks: a line that names `text/html`, and nothing of JSON with a greater weight. A program that
 * takes anything gets JSON.
 * @see RFC 9110 §12.5.1
 */
function prefersPage(accept = ''): boolean {
  const ranges = accept.toLowerCase().split(',', most).map(weighed);
  const html = ranges.find(({ type }) => type === 'text/html')?.weight ?? 0;
  const json = Math.max(0, ...ranges.filter(({ type }) => isJson(type)).map(({ weight }) => weight));
  return html > 0 && html >= json;
}

const isJson = (type: string): boolean =>
  type === 'application/json' || (type.startsWith('application/') && type.endsWith('+json'));

function weighed(range: string): { readonly type: string; readonly weight: number } {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
  const weight = Number(parameters.find((part) => part.startsWith('q='))?.slice(2) ?? 1);
  return { type, weight: Number.isNaN(weight) ? 0 : weight };
}

/** Whether a person's browser reads. */
export const wantsPage = ({ method, headers }: IncomingMessage): boolean =>
  (method === 'GET' || method === 'HEAD') && prefersPage(headers.accept);
