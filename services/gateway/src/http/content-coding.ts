import { type BrotliOptions, type ZlibOptions, constants } from 'node:zlib';
import { BoundedMap } from '@lyceum/kernel';

/** A content coding that answers may be sent in. */
export type Coding = 'br' | 'gzip';

/** Answers shorter than this many bytes gain nothing. */
export const shortest = 1024;

/** Brotli at the price of gzip: fast enough for each response, in little memory. */
export const brotliOptions: BrotliOptions = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 18 },
};
export const gzipOptions: ZlibOptions = { level: 5 };

const compressible =
  /^(?:text\/(?!event-stream)[\w.+-]+|application\/(?:[\w.-]+\+)?(?:json|xml)|application\/javascript|image\/svg\+xml)\s*(?:;|$)/i;

/** Whether a media type is of text that compresses, and not a stream of events, which must not wait. */
export const isCompressible = (type: string): boolean => compressible.test(type);

function read(accepted: string): Coding | undefined {
  const weights = new Map<string, number>();
  for (const item of accepted.toLowerCase().split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim());
    const weight = parameters.find((part) => part.startsWith('q='))?.slice(2);
    weights.set(name, weight === undefined ? 1 : Number(weight) || 0);
  }
  const of = (name: string): number => weights.get(name) ?? weights.get('*') ?? 0;
  const [br, gzip, plain] = [of('br'), Math.max(of('gzip'), of('x-gzip')), weights.get('identity') ?? 0];
  const best = Math.max(br, gzip);
  if (best === 0 || plain > best) return undefined;
  return br === best ? 'br' : 'gzip';
}

const chosen = new BoundedMap<string, Coding | 'identity'>(256);

/**
 * The coding to answer in: the one that the client likes best, Brotli of two that it likes alike. Undefined when it
 * takes none of ours, or likes the plain form better. Clients ask for the same few codings: the answers are kept.
 * @see RFC 9110 §12.5.3
 */
export function codingFor(accepted: string | string[] | undefined): Coding | undefined {
  if (accepted === undefined) return undefined;
  const key = String(accepted);
  let coding = chosen.get(key);
  if (!coding) {
    coding = read(key) ?? 'identity';
    if (key.length <= 128) chosen.set(key, coding);
  }
  return coding === 'identity' ? undefined : coding;
}
