import type { IncomingMessage } from 'node:http';

/** Largest body that is passed on to a service, in bytes. Services read less, each as much as it needs. */
export const largestBody = 1024 * 1024;

/** Whether a request says that its body is larger than `limit` bytes. */
export const announcesMore = ({ headers }: IncomingMessage, limit: number): boolean =>
  headers['content-length'] !== undefined && Number(headers['content-length']) > limit;

/**
 * Watches a body whose length nobody has announced. What is beyond `limit` bytes is read and thrown away, so that the
 * client can read why it is refused; `exceeded` is called once. Nothing is copied, and whoever reads the body is held
 * back as without this.
 */
export function watchBody(request: IncomingMessage, limit: number, exceeded: () => void): void {
  if (request.headers['transfer-encoding'] === undefined) return;
  const push = request.push.bind(request);
  let size = 0;
  request.push = (chunk: Buffer | null, encoding?: BufferEncoding): boolean => {
    const before = size;
    size += chunk?.length ?? 0;
    if (size <= limit) return push(chunk, encoding);
    if (before <= limit) exceeded();
    return true;
  };
}
