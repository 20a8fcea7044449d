const mostSegments = 8;

/** First segments that are ours. Behind others nothing is known of what stands there. */
const ours = new Set(['.well-known', 'api', 'auth', 'docs', 'internal', 'mcp', 'oauth']);

const isWord = (segment: string): boolean => /^[a-z._-]{0,32}$/.test(segment);

/**
 * A path that leads nowhere, as a log may have it: below the roots that are ours, words in small letters as they are; `*` for
 * every other segment, where an id, an address or a token may stand; without its query, and bounded.
 */
export function safePath(url: string): string {
  const [path = ''] = url.split(/[?#]/, 1);
  const segments = path.split('/', mostSegments + 2).slice(1);
  const isOurs = ours.has(segments[0] ?? '');
  const named = segments.slice(0, mostSegments).map((each) => (each === '' || (isOurs && isWord(each)) ? each : '*'));
  return `/${named.join('/')}${segments.length > mostSegments ? '/…' : ''}`;
}
